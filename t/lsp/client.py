"""A client of the language server protocol: what t/lsp/talk.py talks with."""
import json
import subprocess


class Client:
    def __init__(self, *command):
        self.server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                       stderr=subprocess.DEVNULL)
        self.number = 0
        self.diagnostics = {}

    def send_bytes(self, data):
        self.server.stdin.write(data)
        self.server.stdin.flush()

    def send_text(self, text):
        data = text.encode()
        self.send_bytes(b'Content-Length: %d\r\n\r\n' % len(data) + data)

    def notify(self, method, **params):
        self.send_text(json.dumps({'jsonrpc': '2.0', 'method': method, 'params': params}))

    def read(self):
        """The next message; None: the server has ended."""
        length = None
        while True:
            line = self.server.stdout.readline()
            if not line:
                return None
            if line == b'\r\n':
                break
            name, value = line.split(b':')
            if name == b'Content-Length':
                length = int(value)
        return json.loads(self.server.stdout.read(length))

    def reply(self):
        """The next message that is no notification, whose diagnostics are kept."""
        while True:
            message = self.read()
            if message is None or 'method' not in message:
                return message
            params = message['params']
            self.diagnostics[params['uri']] = params['diagnostics']

    def ask(self, method, **params):
        self.number += 1
        self.send_text(json.dumps({'jsonrpc': '2.0', 'id': self.number, 'method': method,
                                   'params': params}))
        message = self.reply()
        assert message is None or message['id'] in (self.number, None), message
        return message

    def begin(self):
        answer = self.ask('initialize', processId=None, rootUri=None, capabilities={})
        self.notify('initialized')
        return answer

    def end(self):
        """The exit status after shutdown and exit."""
        self.ask('shutdown')
        self.notify('exit')
        return self.server.wait(20)
