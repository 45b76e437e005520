import joblib
from http.server import BaseHTTPRequestHandler, HTTPServer

model = joblib.load("model.joblib")


class H(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(type(model).__name__.encode())


HTTPServer(("localhost", 8001), H).serve_forever()
