"""A class on JupyterHub: several people log in, and each runs a cell.

Needs jupyterhub (PyPI) and configurable-http-proxy (npm) on the PATH.
"""
import asyncio
import json
import os
import shutil
import socket
import subprocess
import sys
import unittest
import uuid

from tornado.httpclient import AsyncHTTPClient, HTTPClientError, HTTPRequest
from tornado.httputil import url_concat
from tornado.websocket import websocket_connect

PATIENCE = 600  # seconds: only what hangs waits so long
PEOPLE = ["ada", "grace", "mary"]
CELL = """k = gpu.kernel [=[
kernel void f(device float *a, uint i [[thread_position_in_grid]]) {
  a[i] = i;
}]=]
a = gpu.buffer(64)
k{a, grid = 64}
print(a[63], os.getenv "HOME")"""


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Person:
    """A browser: keeps cookies, follows the hub's forms."""

    def __init__(self, base, name):
        self.base, self.name, self.cookies = base, name, {}
        self.client = AsyncHTTPClient()

    def headers(self, **more):
        cookie = "; ".join(f"{k}={v}" for k, v in self.cookies.items())
        return {"Cookie": cookie, "Referer": self.base, **more}

    async def ask(self, path, method="GET", body=None, **headers):
        for _ in range(12):
            try:
                reply = await self.client.fetch(HTTPRequest(
                    self.base + path, method=method, body=body,
                    headers=self.headers(**headers), follow_redirects=False,
                    request_timeout=PATIENCE))
            except HTTPClientError as why:
                if why.code not in (301, 302, 303, 307):
                    raise
                reply = why.response
            for line in reply.headers.get_list("Set-Cookie"):
                key, value = line.split(";")[0].split("=", 1)
                self.cookies[key] = value
            if reply.code == 200 or reply.code == 201:
                return reply
            path, method, body = reply.headers["Location"], "GET", None
            path = path.removeprefix(self.base)
        raise RuntimeError("too many redirections")

    async def log_in(self, password):
        await self.ask("/hub/login")
        token = {"_xsrf": self.cookies["_xsrf"]}
        await self.ask(url_concat("/hub/login", token), "POST",
                       f"username={self.name}&password={password}",
                       **{"Content-Type": "application/x-www-form-urlencoded"})

    async def own_server(self):
        for _ in range(PATIENCE):
            try:
                await self.ask(f"/user/{self.name}/lab")
                await self.ask(f"/user/{self.name}/api/status")
                return
            except (HTTPClientError, RuntimeError):
                await asyncio.sleep(1)
        raise RuntimeError("the server did not start")

    async def run(self, code):
        path = f"/user/{self.name}/api/kernels"
        reply = await self.ask(path, "POST", json.dumps({"name": "mettle"}),
                               **{"X-XSRFToken": self.cookies["_xsrf"]})
        kernel = json.loads(reply.body)["id"]
        socket_ = await websocket_connect(HTTPRequest(
            self.base.replace("http", "ws") + f"{path}/{kernel}/channels",
            headers=self.headers()))
        request = {"header": {"msg_id": uuid.uuid4().hex, "session": "s",
                              "username": self.name, "version": "5.3",
                              "msg_type": "execute_request", "date": ""},
                   "parent_header": {}, "metadata": {}, "channel": "shell",
                   "content": {"code": code, "silent": False}}
        await socket_.write_message(json.dumps(request))
        said = ""
        while True:
            message = json.loads(await asyncio.wait_for(
                socket_.read_message(), PATIENCE))
            if message["parent_header"].get("msg_id") != \
                    request["header"]["msg_id"]:
                continue
            content = message["content"]
            said += content.get("text", "") + content.get("evalue", "")
            if content.get("execution_state") == "idle":
                return said


class Hub(unittest.TestCase):
    def setUp(self):
        self.port = free_port()
        self.base = f"http://127.0.0.1:{self.port}"
        self.log = open("hub.log", "w")
        folder = os.path.join(os.environ["METTLE_DATA"], "packaging/hub")
        self.server = subprocess.Popen(
            [sys.executable, "-m", "jupyterhub", "-f",
             folder + "/jupyterhub_config.py",
             f"--ConfigurableHTTPProxy.api_url=http://127.0.0.1:{free_port()}",
             f"--JupyterHub.hub_port={free_port()}"],
            env={**os.environ, "METTLE_HUB_PASSWORD": "the class's",
                 "METTLE_HUB_URL": self.base, "METTLE_HUB_ROOT": "yes"},
            stdout=self.log, stderr=subprocess.STDOUT)

    def tearDown(self):
        self.server.terminate()
        self.server.wait(PATIENCE)
        self.log.close()

    async def one(self, name, code):
        person = Person(self.base, name)
        for _ in range(PATIENCE):
            try:
                await person.log_in("the%20class%27s")
                break
            except (OSError, HTTPClientError):
                await asyncio.sleep(1)
        await person.own_server()
        return await person.run(code)

    def test_several_people(self):
        async def all_of_them():
            return await asyncio.gather(*(self.one(n, CELL) for n in PEOPLE))
        for name, said in zip(PEOPLE, asyncio.run(all_of_them())):
            self.assertIn("63.0", said)
            self.assertIn(f"homes/{name}", said)

    def test_limits_hold(self):
        said = asyncio.run(self.one("greedy", "t = {}\nfor i = 1, 40 do "
                                    "t[i] = ('x'):rep(64 << 20) .. i end"))
        self.assertIn("not enough memory", said)


if __name__ == "__main__":
    if not shutil.which("configurable-http-proxy"):
        print("0 passed, 0 failed, 1 skipped: configurable-http-proxy is not "
              "there (npm install -g configurable-http-proxy)")
        raise SystemExit(0)
    ended = unittest.main(verbosity=2, exit=False).result
    bad = len(ended.failures) + len(ended.errors)
    print(f"{ended.testsRun - bad} passed, {bad} failed")
    raise SystemExit(bad > 0)
