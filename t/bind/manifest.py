"""Checks manifests: manifest.py schema SCHEMA FILE... validates them; manifest.py c FILE writes a C
file that holds what the manifest says against the header."""
import json
import sys


def validate(schema_file, files):
    import jsonschema
    with open(schema_file) as f:
        schema = json.load(f)
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    bad = 0
    for name in files:
        with open(name) as f:
            for error in validator.iter_errors(json.load(f)):
                print(name, list(error.absolute_path), error.message)
                bad = 1
    return bad


def number(const):
    value = const["value"]
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, int):
        return "%dull" % (value & (1 << 64) - 1)
    return repr(value) + ("f" if const["type"] == "f32" else "")


def write_c(name):
    with open(name) as f:
        m = json.load(f)
    print('#include "%s"\n#include <stddef.h>' % m["header"])
    print("_Static_assert(SNODE_ABI == %d, \"the ABI\");" % m["abi"])
    for s in m["structs"]:
        print('_Static_assert(sizeof(%s) == %d, "bytes");' % (s["c_name"], s["bytes"]))
        print('_Static_assert(_Alignof(%s) == %d, "alignment");' % (s["c_name"], s["alignment"]))
        for member in s["members"]:
            at = s["c_name"], member["c_name"]
            print('_Static_assert(offsetof(%s, %s) == %d, "offset");' % (at + (member["offset"],)))
            print('_Static_assert(sizeof(((%s *)0)->%s) == %d, "bytes");' % (at + (member["bytes"],)))
    for c in m["consts"]:
        if not isinstance(c["value"], str):
            cast = "" if isinstance(c["value"], float) else "(unsigned long long)"
            print('_Static_assert(%s%s == %s, "value");' % (cast, c["c_name"], number(c)))
    for k, f in enumerate(m["functions"]):
        params = ", ".join(p["c"] for p in f["parameters"]) or "void"
        star = "" if f["result"].endswith("*") else " "
        print("extern %s%s(*const f%d)(%s);" % (f["result"], star, k, params))
        print("%s%s(*const f%d)(%s) = %s;" % (f["result"], star, k, params, f["name"]))
    return 0


if sys.argv[1] == "schema":
    sys.exit(validate(sys.argv[2], sys.argv[3:]))
sys.exit(write_c(sys.argv[2]))
