# mettle.fish - completion of mettle's command line in fish; the words come from the
# program's own --help.
function __mettle_commands
    mettle --help 2>/dev/null | string replace -rf '^  mettle ([a-z]+)\S*(?: \S+)*  +(.*)' '$1\t$2'
end
function __mettle_options
    set -l words (commandline -opc)
    set -l command
    if test (count $words) -gt 1; and contains -- $words[2] (__mettle_commands | string split -f 1 \t)
        set command $words[2]
    end
    mettle $command --help 2>/dev/null </dev/null | string match -arg '(?:^|[ ,])(--?[a-zA-Z][a-z-]*)' | sort -u
end
complete -c mettle -n 'test (count (commandline -opc)) = 1' -a '(__mettle_commands)'
function __mettle_passes
    mettle opt --list 2>/dev/null | string replace -rf '^  ([a-z-]+) +(.*)' '$1\t$2'
end
complete -c mettle -n 'test (count (commandline -opc)) = 2; and contains -- opt (commandline -opc)' -a '(__mettle_passes)'
complete -c mettle -n 'string match -q -- "-*" (commandline -ct)' -a '(__mettle_options)'
