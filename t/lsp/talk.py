"""talk.py SNODEGEN FOLDER: talks with snodegen --lsp as an editor would, and prints TAP."""
import json
import os
import random
import sys

from client import Client

snodegen, folder = sys.argv[1:]
done = failed = 0


def ok(name, good, *told):
    global done, failed
    done += 1
    failed += not good
    print('%s %d - %s' % ('ok' if good else 'not ok', done, name))
    if not good:
        print('\n'.join('# ' + line for t in told for line in repr(t).splitlines()))


def same(name, got, expected):
    ok(name, got == expected, 'got', got, 'expected', expected)


TEXT = '''import "shared.sn";
/// the state
struct pair { bool is_big; f64 x; }
const i32 N = 8;
field pair both;   // \u00e4\U0001f600
field f32 u outside clamp;
tree grid { dense row[i: N] { place both; pointer deep[j: 4] { place u; } } }
/// what it does
kernel f32 total(grid g, f32 scale) {
  f32 s = 0;
  foreach (i, j in g.u) { f32 v = g.u[i, j] * scale; s += v; }
  for (k in 0 .. N) { f64 v = g.both[k].x; s += f32(v * OFFSET); }
  return sqrt(s);
}
kernel void wrong() { /* \u00e4\U0001f600 */ unknown_name = 1; }
'''
SHARED = '// shared\nconst f64 OFFSET = 2.5;\n'
path = os.path.join(folder, 'a file.sn')
uri = 'file://' + path.replace(' ', '%20')
shared = 'file://' + os.path.join(folder, 'shared.sn')
with open(os.path.join(folder, 'shared.sn'), 'w') as f:
    f.write(SHARED)


def place(text, line, word, within=0):
    """Of the word in a line, as the protocol counts: UTF-16 units."""
    before = text.split('\n')[line]
    before = before[:before.index(word) + within]
    return {'line': line, 'character': len(before.encode('utf-16-le')) // 2}


def asked(client, method, line, word, within=0, text=TEXT):
    return client.ask('textDocument/' + method, textDocument={'uri': uri},
                      position=place(text, line, word, within))['result']


def change(client, text, version=2):
    client.notify('textDocument/didChange', textDocument={'uri': uri, 'version': version},
                  contentChanges=[{'text': text}])
    client.ask('textDocument/documentSymbol', textDocument={'uri': uri})
    return client.diagnostics[uri]


# ---- a session ----

c = Client(snodegen, '--lsp')
answer = c.ask('textDocument/hover', textDocument={'uri': uri}, position={'line': 0, 'character': 0})
same('a request before initialize is refused', answer['error']['code'], -32002)
answer = c.begin()['result']
same('initialize: texts are sent whole', answer['capabilities']['textDocumentSync']['change'], 1)
same('initialize: its name', answer['serverInfo']['name'], 'snodegen')
c.notify('textDocument/didOpen', textDocument={'uri': uri, 'languageId': 'snode', 'version': 1,
                                               'text': TEXT})
symbols = c.ask('textDocument/documentSymbol', textDocument={'uri': uri})['result']
same('symbols of the file alone', [s['name'] for s in symbols],
     ['pair', 'N', 'both', 'u', 'grid', 'row', 'deep', 'total', 'wrong'])

# ---- diagnostics ----

found = c.diagnostics[uri]
same('one message', len(found), 1)
same('it is an error', found[0]['severity'], 1)
ok('its text', 'unknown_name' in found[0]['message'], found)
same('in UTF-16 units behind what is not ASCII', found[0]['range']['start'],
     place(TEXT, 14, 'unknown_name'))
same('up to the end of the name', found[0]['range']['end'], place(TEXT, 14, ' = 1'))
right = TEXT.replace(' unknown_name = 1;', '')
same('it is gone when the text is right', change(c, right), [])
warned = right.replace('kernel void wrong() {', 'kernel void wrong() { i32 unused = 1;')
found = change(c, warned, 3)
same('a warning', [(m['severity'], m['code']) for m in found], [(2, '-Wunused-variable')])
twice = right + 'field f32 u;\n'
found = change(c, twice, 4)
same('a note stands beside its message', found[0]['relatedInformation'][0]['location']['range']['start'],
     place(TEXT, 5, 'u outside'))
same('a text that is cut', len(change(c, right[:right.index('foreach') + 12], 5)) > 0, True)
change(c, right, 6)

# ---- definition ----

same('a local', asked(c, 'definition', 10, 's += v')['range']['start'], place(TEXT, 9, 's = 0'))
same('one of two with a name', asked(c, 'definition', 11, 'v * OFFSET')['range']['start'],
     place(TEXT, 11, 'v = g'))
same('the other', asked(c, 'definition', 10, 'v; }')['range']['start'], place(TEXT, 10, 'v = g'))
same('a parameter, at the end of its name', asked(c, 'definition', 10, 'scale;', 5)['range']['start'],
     place(TEXT, 8, 'scale'))
same('a loop variable', asked(c, 'definition', 11, 'k]')['range']['start'], place(TEXT, 11, 'k in'))
same('a field behind a dot', asked(c, 'definition', 10, 'u[i')['range']['start'],
     place(TEXT, 5, 'u outside'))
same('a member', asked(c, 'definition', 11, 'x;')['range']['start'], place(TEXT, 2, 'x; }'))
same('a tree', asked(c, 'definition', 8, 'grid')['range']['start'], place(TEXT, 6, 'grid'))
imported = asked(c, 'definition', 11, 'OFFSET')
same('in an imported file', imported['uri'], shared)
same('its place there', imported['range'], {'start': {'line': 1, 'character': 10},
                                            'end': {'line': 1, 'character': 16}})
same('the file of an import', asked(c, 'definition', 0, 'shared')['uri'], shared)
same('of a built-in there is none', asked(c, 'definition', 12, 'sqrt'), None)

# ---- hover ----


def told(line, word, within=0):
    result = asked(c, 'hover', line, word, within)
    return result and result['contents']['value']


ok('a field: its declaration', 'field f32 u[i, j] outside clamp' in told(10, 'u[i'), told(10, 'u[i'))
ok('a field: its path', 'tree grid: dense row[i: 8] > pointer deep[j: 4]' in told(10, 'u[i'))
ok('a field: how many there can be', '32x containers, each f32 u[i, j]' in told(5, 'u outside'))
ok('a field: where an element lies', 'both.x: f64, byte 8 of' in told(4, 'both'), told(4, 'both'))
ok('a node', '8x containers, 32x cells, a slot each' in told(6, 'deep'), told(6, 'deep'))
ok('a tree: all of it', 'S2pointer' in told(6, 'grid') or 'pointer deep[j: 4]' in told(6, 'grid'))
ok('a struct: bytes', 'f64 x;   // byte 8' in told(2, 'pair'), told(2, 'pair'))
ok('a struct: what is said before it', 'the state' in told(2, 'pair'))
ok('a kernel', 'kernel f32 total(grid g, f32 scale)' in told(8, 'total'), told(8, 'total'))
ok('a const: its value', 'const i32 N = 8' in told(11, 'N)'))
ok('a local: its type', 'f64 v' in told(11, 'v * OFFSET'))
ok('a built-in', 'sqrt' in told(12, 'sqrt'))
same('of a keyword nothing', told(8, 'kernel'), None)
same('its range', asked(c, 'hover', 8, 'total')['range'],
     {'start': place(TEXT, 8, 'total'), 'end': place(TEXT, 8, '(grid')})

# ---- completion ----


def offered(line, word, within=0, text=right):
    return {i['label']: i for i in asked(c, 'completion', line, word, within, text)}


items = offered(10, 's += v')
ok('keywords, types, built-ins', all(w in items for w in ('foreach', 'f32', 'sqrt', 'pointer')))
same('names with their kinds', [items[w]['kind'] for w in ('N', 'u', 'total', 'pair', 's', 'v')],
     [21, 5, 3, 22, 6, 6])
same('with their types', items['v']['detail'], 'f32 v')
ok('what is not declared yet is not there', 'k' not in items)
same('members', sorted(offered(11, 'x;', 1)), ['is_big', 'x'])
same('what a tree holds', sorted(offered(10, 'u[i')), ['both', 'deep', 'row', 'u'])
same('in a comment nothing', offered(7, 'what'), {})
attributes = right.replace('  foreach (i, j', '  [[ foreach (i, j')
change(c, attributes, 7)
ok('attributes', 'block_dim' in offered(10, '[[', 2, attributes))
change(c, right.replace('s += v;', 's += g.'), 8)
same('behind a dot that was just written', sorted(offered(10, 's += g.', 7, right.replace('s += v;', 's += g.'))),
     ['both', 'deep', 'row', 'u'])
change(c, right, 9)

# ---- generics ----

generic = right + 'kernel void fill<field a, f32 by>() { foreach (i, j in a) a[i, j] = by; }\n' \
    'instance fill_u = fill<u, 2.0>;\n'
same('a generic is right', change(c, generic, 10), [])
symbols = c.ask('textDocument/documentSymbol', textDocument={'uri': uri})['result']
same('it and its instance are symbols, its copy is none', [s['name'] for s in symbols][-3:],
     ['total', 'wrong', 'fill_u'])
ok('the generic too', 'fill' in [s['name'] for s in symbols], symbols)
same('its parameters are known in it', asked(c, 'definition', 15, 'by; }', 0, generic)['range']['start'],
     place(generic, 15, 'by>'))
ok('an instance: what it is of', 'instance fill_u = fill<u, 2.0>\n' in
   asked(c, 'hover', 16, 'fill_u', 0, generic)['contents']['value'])
change(c, right, 11)

# ---- two documents ----

c.notify('textDocument/didOpen', textDocument={'uri': shared, 'languageId': 'snode', 'version': 1,
                                               'text': SHARED.replace('OFFSET', 'OTHER')})
c.ask('textDocument/documentSymbol', textDocument={'uri': shared})
ok('an imported text that is edited counts at once', 'OFFSET' in c.diagnostics[uri][0]['message'],
   c.diagnostics[uri])
c.notify('textDocument/didClose', textDocument={'uri': shared})
c.ask('textDocument/documentSymbol', textDocument={'uri': uri})
same('until it is closed', c.diagnostics, {uri: [], shared: []})

# ---- what is wrong ----

same('an unknown method', c.ask('textDocument/unknown')['error']['code'], -32601)
same('a document that is not open',
     c.ask('textDocument/hover', textDocument={'uri': 'file:///none'})['error']['code'], -32602)
same('initialize again', c.ask('initialize')['error']['code'], -32600)
c.send_text('{"jsonrpc": "2.0", "id": 1, "method": ')
answer = c.reply()
same('no JSON', (answer['error']['code'], answer['id']), (-32700, None))
c.send_text('[1, 2]')
same('no request', c.reply()['error']['code'], -32600)
c.send_bytes(b'Content-Type: x\r\n\r\n')
same('no length', c.reply()['error']['code'], -32700)
far = c.ask('textDocument/hover', textDocument={'uri': uri},
            position={'line': 2147483647, 'character': 2147483647})
same('a place far behind the end', far['result'], None)
same('after shutdown requests are refused',
     (c.ask('shutdown')['result'], c.ask('textDocument/hover')['error']['code']), (None, -32600))
c.notify('exit')
same('the exit status after shutdown', c.server.wait(20), 0)
c = Client(snodegen, '--lsp')
c.begin()
c.notify('exit')
same('the exit status without', c.server.wait(20), 1)

# ---- noise: what comes after it is answered still ----

dice = random.Random(16)
c = Client(snodegen, '--lsp')
c.begin()
c.notify('textDocument/didOpen', textDocument={'uri': uri, 'version': 1, 'text': TEXT})
whole = json.dumps({'jsonrpc': '2.0', 'id': 7, 'method': 'textDocument/hover', 'params': {
    'textDocument': {'uri': uri}, 'position': {'line': 10, 'character': 5}}})
lost = 0
for turn in range(300):
    data = bytearray(whole.encode())
    for _ in range(dice.randint(1, 6)):
        at = dice.randrange(len(data))
        data[at:at + dice.randint(0, 3)] = bytes(dice.choice(b'{}[]",:\\u0d8e-+.1tfn \xff\x00')
                                                 for _ in range(dice.randint(0, 3)))
    c.send_bytes(b'Content-Length: %d\r\n\r\n' % len(data) + bytes(data))
    if turn % 10 == 0:
        c.send_bytes(bytes(dice.choice(b'Content-Lgh: -0\r\xfe') for _ in range(30)) + b'\r\n\r\n')
c.send_bytes(b'Content-Length: 99999999999999999999\r\n\r\n')
c.send_text('[' * 100000)
c.send_text('"\\ud800\\ud800\\udc00\\u"')
c.send_text(json.dumps({'jsonrpc': '2.0', 'id': 'the last', 'method': 'shutdown'}))
while True:
    answer = c.reply()
    if answer is None or answer['id'] == 'the last':
        break
ok('messages that are noise do not end it', answer is not None and answer['result'] is None, answer)
c.notify('exit')
same('its exit status', c.server.wait(20), 0)

c = Client(snodegen, '--lsp')
c.begin()
for turn in range(60):
    data = TEXT
    for _ in range(dice.randint(1, 8)):
        at = dice.randrange(len(data))
        data = data[:at] + dice.choice(['', '{', '}', '(', '.', '"', '/*', '\u00e4', 'kernel ', '[[', '\0']) \
            + data[at + dice.randint(0, 9):]
    if turn == 0:
        c.notify('textDocument/didOpen', textDocument={'uri': uri, 'version': 0, 'text': data})
    else:
        c.notify('textDocument/didChange', textDocument={'uri': uri, 'version': turn},
                 contentChanges=[{'text': data}])
    for method in ('hover', 'definition', 'completion'):
        answer = c.ask('textDocument/' + method, textDocument={'uri': uri}, position={
            'line': dice.randrange(20), 'character': dice.randrange(60)})
        lost += answer is None or 'result' not in answer
same('texts that are noise are answered', lost, 0)


def memory():
    """Of the server, in KiB; 0 where the system does not tell."""
    try:
        with open('/proc/%d/status' % c.server.pid) as f:
            return int([line for line in f if line.startswith('VmRSS')][0].split()[1])
    except OSError:
        return 0


for turn in range(200):
    change(c, right, turn)
    before = memory() if turn == 50 else before if turn > 50 else 0
ok('200 changes of a text take no more memory than 50',
   memory() < before + 2000 or os.environ.get('SN_FREED_IS_KEPT'), before, memory())
same('and the server ends as it should', c.end(), 0)
c = Client(snodegen, '--lsp')
c.begin()
c.send_bytes(b'Content-Length: 100\r\n\r\n{"')
c.server.stdin.close()
same('an input that is cut ends it', c.server.wait(20), 1)
print('1..%d' % done)
sys.exit(failed > 0)
