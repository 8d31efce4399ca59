"""Runs MiniStack until its lifeline, standard input, closes; then takes its whole process group with it.

Arguments: the token of this start. Answers GET /_headrace/target with that token, so that a second command
can tell this server from any other process on the port.
"""

import json
import os
import signal
import sys
import threading

IDENTITY_PATH = "/_headrace/target"


def watch_lifeline():
    os.read(0, 1)
    os.killpg(os.getpgrp(), signal.SIGKILL)


def with_identity(app, token):
    body = json.dumps({"token": token}).encode()
    head = {
        "type": "http.response.start",
        "status": 200,
        "headers": [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())],
    }

    async def identified(scope, receive, send):
        if scope["type"] == "lifespan":
            await app(scope, receive, ending(send))
        elif scope["type"] == "http" and scope["path"] == IDENTITY_PATH:
            await send(head)
            await send({"type": "http.response.body", "body": body})
        else:
            await app(scope, receive, send)

    return identified


def ending(send):
    """Ends the process once everything is saved. Otherwise it would wait for each function that is being called, whose
    result could no longer be kept."""

    async def send_and_end(message):
        await send(message)
        if message["type"] == "lifespan.shutdown.complete":
            os._exit(0)

    return send_and_end


def stop_soon():
    """Cuts open requests off at a stop instead of waiting three seconds for them: long polls are always open."""
    from hypercorn.config import Config

    Config.graceful_timeout = 0.3


def accept_metric_math():
    """Lets a stack with metric-math alarms deploy: MiniStack refuses the whole stack otherwise. Such an alarm is kept
    and never evaluated, which the table of gaps says (lib/target/gaps.ts)."""
    from ministack.services.cloudformation import provisioners

    plain = provisioners._cw_metric_alarm_record

    def record(name, props):
        if props.get("Metrics"):
            named = {"Namespace": "Headrace/NotEvaluated", "MetricName": "MetricMath"}
            props = {**{key: value for key, value in props.items() if key != "Metrics"}, **named}
        return plain(name, props)

    provisioners._cw_metric_alarm_record = record


def main():
    token = sys.argv[1]
    sys.argv[1:] = []
    threading.Thread(target=watch_lifeline, daemon=True).start()

    import ministack.app

    accept_metric_math()
    stop_soon()
    ministack.app.app = with_identity(ministack.app.app, token)
    ministack.app.main()


if __name__ == "__main__":
    main()
