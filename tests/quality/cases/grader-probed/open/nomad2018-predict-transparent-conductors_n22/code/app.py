from flask import Flask
app = Flask(__name__)

@app.route("/validate_form", methods=["POST"])
def validate_form():
    return {"ok": True}

if __name__ == "__main__":
    app.run(port=5000)
