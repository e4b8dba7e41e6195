"""A class on one machine: everybody has notebooks with Mettle, within limits.

    jupyterhub -f packaging/hub/jupyterhub_config.py

Settings come from the environment, so that this file need not be edited:

    METTLE_HUB_PASSWORD   the class's password: anybody who knows it may log in
                          with any name. Without it the machine's own users and
                          passwords count (PAM), which is right for a server
                          that has them.
    METTLE_HUB_HOMES      folder with a home for each name; ./homes. Only with a
                          password: PAM's users have their own.
    METTLE_HUB_MEMORY     megabytes of data a process may have; 1024
    METTLE_HUB_SECONDS    processor time of one process; 7200
    METTLE_HUB_PROCESSES  processes and threads of a person; 400 (PAM only)
    METTLE_HUB_IDLE       seconds after which an idle server ends; 3600
"""
import os
import shutil
import sys

c = get_config()  # noqa: F821  JupyterHub gives it


def setting(name, otherwise):
    return os.environ.get("METTLE_HUB_" + name) or otherwise


memory = int(setting("MEMORY", 1024))
seconds = int(setting("SECONDS", 7200))
processes = int(setting("PROCESSES", 400))
idle = int(setting("IDLE", 3600))
password = setting("PASSWORD", "")

# Kernels inherit the limits of the server that starts them.
limits = ["prlimit", f"--data={memory << 20}", f"--cpu={seconds}", "--core=0"]

as_root = password and os.geteuid() == 0
if as_root and setting("ROOT", "") != "yes": # for tests in a container
    sys.exit("do not start this as root: everybody who logs in would be root. "
             "Make a user for the class, or leave the password out (PAM)")

if password:
    # One Unix user for all: right for a workshop among friends, on a machine
    # that has nothing else. Names are only names.
    homes = os.path.abspath(setting("HOMES", "homes"))
    c.JupyterHub.authenticator_class = "dummy"
    c.DummyAuthenticator.password = password
    c.Authenticator.allow_all = True
    c.JupyterHub.spawner_class = "simple"
    c.SimpleLocalProcessSpawner.home_dir_template = homes + "/{username}"
else:
    limits.append(f"--nproc={processes}")
    c.Authenticator.allow_existing_users = True

if not shutil.which("prlimit"):
    sys.exit("the limits need prlimit (Debian's util-linux)")
c.Spawner.cmd = limits + [sys.executable, "-m", "jupyterhub.singleuser"]
c.Spawner.args = ["--KernelSpecManager.ensure_native_kernel=False"]
if as_root:
    c.Spawner.args.append("--allow-root")
c.Spawner.default_url = "/lab"
c.Spawner.start_timeout = 120
c.Spawner.http_timeout = 120
c.JupyterHub.bind_url = setting("URL", "http://127.0.0.1:8000")

if shutil.which("jupyterhub-idle-culler"):
    c.JupyterHub.load_roles = [{
        "name": "culler", "services": ["culler"],
        "scopes": ["list:users", "read:users:activity", "read:servers",
                   "delete:servers"]}]
    c.JupyterHub.services = [{
        "name": "culler",
        "command": ["jupyterhub-idle-culler", f"--timeout={idle}"]}]
