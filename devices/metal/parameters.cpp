/*
** parameters.cpp - a kernel's parameters: what the source says, joined with
** Metal's bindings.
**
** Metal names the bindings of a kernel and their indices, but not the order in
** which they were written, nor whether one is T& or T*, device or constant; the
** host's reader (msl/reader/signatures.h) knows those. Both must tell the same
** of each parameter, or the order counts as not known and a launch takes names.
*/
#include "devices/metal/metal.hpp"

#include <algorithm>
#include <cstring>

extern "C" {
#include "msl/reader/attributes.h"
#include "msl/reader/macros.h"
}

namespace mt_metal {
namespace {

bool is(const char *a, const char *b) { return std::strcmp(a, b) == 0; }

/* -------------------------------------------------------------------- types */

std::string without_namespace(const char *type) {
  std::string text = type;
  size_t list = text.find('<'), colons = text.rfind("::", list);
  return colons == std::string::npos ? text : text.substr(colons + 2);
}

/* atomic_uint, atomic<uint>: its value's type; nil if it is no atomic. */
const mt_Type *atomic_value(const std::string &type) {
  if (type.compare(0, 7, "atomic_") == 0)
    return mt_type_named(type.c_str() + 7);
  if (type.compare(0, 7, "atomic<") != 0) return nullptr;
  return mt_type_named(type.substr(7, type.size() - 8).c_str());
}

/* "[2][3]": 2 and 3; 0 for one that takes a compiler to tell. */
std::vector<size_t> read_bounds(const std::string &bounds) {
  std::vector<size_t> list;
  for (size_t at = 0, close;
       (close = bounds.find(']', at)) != std::string::npos; at = close + 1) {
    long n = 0;
    bool known =
        mt_macros_number(bounds.substr(at + 1, close - at - 1).c_str(), &n) &&
        n > 0;
    list.push_back(known ? (size_t)n : 0);
  }
  return list;
}

/* float and [2][3]: an array of two arrays. 'size' decides a bound that is a
** name. */
const mt_Type *with_bounds(Reflection &r, const mt_Type *element,
                           const std::string &bounds, size_t size) {
  std::vector<size_t> list = read_bounds(bounds);
  if (list.size() == 1 && list[0] == 0 && element->size)
    list[0] = size / element->size;
  for (size_t i = list.size(); i-- > 0;) {
    if (list[i] == 0) return nullptr;
    element = array_of(r, element, list[i]);
  }
  return element;
}

/* The type as it is written, if it is one of MSL's own and has the size that
** Metal tells. */
const mt_Type *written_type(Reflection &r, const mt_ReadParam &d, size_t size) {
  std::string text = without_namespace(d.type);
  const mt_Type *value = atomic_value(text);
  const mt_Type *t =
      value ? atomic_type(r, value) : mt_type_named(text.c_str());
  if (t && is(d.form, "reference") && d.bounds[0])
    t = with_bounds(r, t, d.bounds, size);
  return t && (size == 0 || t->size == size) ? t : nullptr;
}

struct Join {
  Reflection &r;
  const mt_Signatures *signatures;
  const char *name; /* by which Metal has the kernel */
  const mt_ReadKernel *kernel;
  std::vector<mt_Param> bindings;
  std::vector<bool> taken;
};

/* The type's name as the source has it; T of a template is what the instance
** says. "": it does not. */
std::string written_name(const Join &j, const mt_ReadParam &d, bool element) {
  mt_Str text = MT_STR_INIT;
  mt_signatures_type(j.signatures, j.name, (uint32_t)(&d - j.kernel->params),
                     element, &text);
  std::string name = mt_str_text(&text);
  mt_str_free(&text);
  return name;
}

/* A struct has no name in Metal's reflection. */
const mt_Type *named_as(Join &j, const mt_Type *t, const mt_ReadParam &d,
                        bool element = false) {
  Reflection &r = j.r;
  bool nameless = t->kind == MT_TYPE_STRUCT || t->kind == MT_TYPE_OTHER;
  if (t->kind == MT_TYPE_ARRAY)
    return array_of(r, named_as(j, t->element, d, true), t->count);
  std::string name = nameless && d.type[0] ? written_name(j, d, element) : "";
  if (name.empty()) return t;
  mt_Type copy = *t;
  std::vector<size_t> bounds = read_bounds(d.bounds);
  for (size_t i = bounds.size();
       t->kind == MT_TYPE_OTHER && is(d.form, "reference") && i-- > 0;)
    name += "[" + std::to_string(bounds[i]) + "]";
  copy.name = r.keep(name);
  return r.add(copy);
}

/* -------------------------------------------------------------------- joins */

/* What the source says that it is bound as; false: a thread's place and its
** like. */
bool written_kind(const mt_ReadParam &d, mt_ParamKind *out) {
  std::string type = without_namespace(d.type);
  bool value = is(d.form, "value");
  auto begins = [&](const char *s) {
    return type.compare(0, std::strlen(s), s) == 0;
  };
  switch (mt_attribute_kind(d.attribute)) {
    case MT_ATTR_BUFFER: return *out = MT_PARAM_BUFFER, true;
    case MT_ATTR_TEXTURE: return *out = MT_PARAM_TEXTURE, true;
    case MT_ATTR_SAMPLER: return *out = MT_PARAM_SAMPLER, true;
    case MT_ATTR_THREADGROUP: return *out = MT_PARAM_THREADGROUP, true;
    case MT_ATTR_POSITION:
    case MT_ATTR_SCALAR: return false;
    default: break;
  }
  *out =
      value && (begins("texture") || begins("depth") || begins("array<texture"))
          ? MT_PARAM_TEXTURE
      : value && begins("sampler") ? MT_PARAM_SAMPLER
      : is(d.space, "threadgroup") ? MT_PARAM_THREADGROUP
                                   : MT_PARAM_BUFFER;
  return !value || *out != MT_PARAM_BUFFER;
}

/* The binding of a parameter: by its name, or by kind and index if it has none.
** -1: there is none. */
int find_binding(const Join &j, const mt_ReadParam &d) {
  unsigned index = 0;
  mt_ParamKind kind = MT_PARAM_BUILTIN;
  bool known = written_kind(d, &kind) && mt_signature_index(&d, &index);
  for (size_t i = 0; i < j.bindings.size(); i++) {
    const mt_Param &b = j.bindings[i];
    bool fits = d.named ? is(b.name, d.name)
                        : known && b.kind == kind && b.index == index;
    if (!j.taken[i] && fits) return (int)i;
  }
  return -1;
}

/* Does what is written contradict Metal? */
bool contradicts(const mt_ReadParam &d, const mt_Param &b) {
  unsigned index;
  mt_ParamKind kind;
  if (!written_kind(d, &kind)) return d.attribute[0] != '\0';
  if (d.attribute[0] && kind != b.kind) return true;
  return mt_signature_index(&d, &index) && index != b.index;
}

/* A binding with what the source adds to it. */
mt_Param complete(Join &j, const mt_ReadParam &d, mt_Param p) {
  bool memory = p.kind == MT_PARAM_BUFFER || p.kind == MT_PARAM_THREADGROUP;
  p.name = j.r.keep(d.name);
  p.reference = is(d.form, "reference");
  p.constant = is(d.space, "constant");
  /* as on the host: what it may do */
  if (memory && !d.constant) p.access = MT_READ_WRITE;
  if (p.kind == MT_PARAM_THREADGROUP)
    p.access = d.constant ? MT_READ : MT_READ_WRITE;
  if (d.conditional) p.used = false;
  if (!memory) return p;
  const mt_Type *written = written_type(j.r, d, p.type->size);
  p.type = written ? written : named_as(j, p.type, d);
  return p;
}

/* One that is written and not bound: a thread's place, or one that a function
** constant left out, which keeps its place among the others. */
mt_Param unbound(Join &j, const mt_ReadParam &d, bool *bindable) {
  mt_Param p = {};
  mt_Type t = {};
  *bindable = written_kind(d, &p.kind);
  if (!*bindable) {
    p.kind = MT_PARAM_BUILTIN;
    p.builtin = j.r.keep(d.attribute);
  }
  mt_signature_index(&d, &p.index);
  p.name = j.r.keep(d.name);
  p.reference = is(d.form, "reference");
  p.constant = is(d.space, "constant");
  p.access = d.constant ? MT_READ : MT_READ_WRITE;
  p.used = !*bindable;
  p.array_count = 1;
  p.type = written_type(j.r, d, 0);
  if (p.type) return p;
  t.kind = p.kind == MT_PARAM_TEXTURE   ? MT_TYPE_TEXTURE
           : p.kind == MT_PARAM_SAMPLER ? MT_TYPE_SAMPLER
                                        : MT_TYPE_OTHER;
  t.name = j.r.keep(without_namespace(d.type));
  t.size = t.align = t.kind == MT_TYPE_OTHER ? 0 : 8;
  t.rows = t.columns = 1;
  p.type = j.r.add(t);
  return p;
}

/* Both lists as one. False: they do not tell the same. */
bool join(Join &j, Kernel *k) {
  for (uint32_t i = 0; i < j.kernel->count; i++) {
    const mt_ReadParam &d = j.kernel->params[i];
    bool bindable = false;
    int at = find_binding(j, d);
    if (at >= 0 && contradicts(d, j.bindings[at])) return false;
    mt_Param p =
        at >= 0 ? complete(j, d, j.bindings[at]) : unbound(j, d, &bindable);
    if (at >= 0) j.taken[at] = true;
    k->reflection.params.push_back(p);
    k->absent.push_back(at < 0);
  }
  return std::find(j.taken.begin(), j.taken.end(), false) == j.taken.end();
}

/* Without the source's help: by kind and index, and what is only read may be a
** value. */
void take_bindings(Join &j, Kernel *k) {
  std::stable_sort(j.bindings.begin(), j.bindings.end(),
                   [](const mt_Param &a, const mt_Param &b) {
                     return a.kind != b.kind ? a.kind < b.kind
                                             : a.index < b.index;
                   });
  for (mt_Param &p : j.bindings)
    p.reference = p.kind == MT_PARAM_BUFFER && p.access == MT_READ;
  k->reflection.params = j.bindings;
  k->absent.assign(j.bindings.size(), false);
  k->info.unordered = true;
}

}  // namespace

void read_parameters(Kernel *k, const Library *lib, NS::Array *bindings) {
  const char *name = k->name.c_str();
  Join j = {k->reflection,
            lib->signatures,
            name,
            mt_signatures_find(lib->signatures, name),
            {},
            {}};
  NS::UInteger n = bindings ? bindings->count() : 0;
  for (NS::UInteger i = 0; i < n; i++) {
    mt_Param p = {};
    if (read_binding(k->reflection, bindings->object<MTL::Binding>(i), &p))
      j.bindings.push_back(p);
  }
  j.taken.assign(j.bindings.size(), false);
  if (j.kernel && join(j, k)) return;
  k->reflection.params.clear();
  k->absent.clear();
  take_bindings(j, k);
}

}  // namespace mt_metal
