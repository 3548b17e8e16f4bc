# SPDX-License-Identifier: GPL-3.0-or-later
"""A desk without a screen: the real program on a display, a bus and in folders of its own, used through the
accessibility tree as a person with a screen reader uses it."""

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from display import Display

# What a state may take to come about on a slow, busy machine; tests never wait this long for their own sake.
PATIENCE_S = float(os.environ.get("PLATEAU_TEST_PATIENCE", "60"))

BUS_LAUNCHERS = ("/usr/libexec/at-spi-bus-launcher", "/usr/lib/at-spi2-core/at-spi-bus-launcher",
                 "/usr/lib/at-spi-bus-launcher")

INSIDE = "PLATEAU_TEST_DESK"

TAP_LINE = re.compile(r"(TAP version|ok|not ok|1\.\.|#|Bail out!)")

# Said by GTK 4.18 when something goes away while it is asked about through the accessibility bus.
NO_FAULTS = ("g_variant_is_object_path: assertion 'string != NULL' failed",)


def missing_tool():
    """One word for what is not installed, or None."""
    for tool in ("xvfb-run", "dbus-run-session"):
        if shutil.which(tool) is None:
            return tool
    if not any(os.path.exists(path) for path in BUS_LAUNCHERS):
        return "at-spi-bus-launcher"
    try:
        import gi  # pylint: disable=import-outside-toplevel
        gi.require_version("Atspi", "2.0")
    except (ImportError, ValueError):
        return "python3-gi with Atspi"
    return None


def enter():
    """Starts this program again on a display and a session bus of its own; returns only inside."""
    if INSIDE in os.environ:
        return
    tool = missing_tool()
    if tool is not None:
        print(f"TAP version 13\n1..0 # SKIP {tool} is not installed")
        sys.exit(0)
    runtime = tempfile.mkdtemp(prefix="plateau-desk-")
    environment = {**os.environ, INSIDE: "1", "XDG_RUNTIME_DIR": runtime}
    # Nothing is fatal here: the accessibility library warns of everything that goes away while it is asked about, on
    # both sides. What the program itself warns of is found in its log (Program.complaints).
    for name in ("WAYLAND_DISPLAY", "G_DEBUG"):
        environment.pop(name, None)
    # A screen with room for the window and its dialogs.
    command = ["dbus-run-session", "--", "xvfb-run", "--auto-servernum", "--server-args=-screen 0 1400x1100x24",
               sys.executable, *sys.argv]
    try:
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as inside:
            # The services of the desk say on the same channel that they are there.
            for line in inside.stdout:
                if TAP_LINE.match(line):
                    print(line, end="", flush=True)
    finally:
        shutil.rmtree(runtime, ignore_errors=True)
    sys.exit(inside.returncode)


class Gone(Exception):
    """What was asked is not on the screen any more."""


class Node:
    """One thing on the screen."""

    def __init__(self, atspi, accessible):
        self.atspi = atspi
        self.accessible = accessible

    def _ask(self, function, *args):
        from gi.repository import GLib  # pylint: disable=import-outside-toplevel
        try:
            return function(*args)
        except GLib.Error as error:
            raise Gone(error.message) from None

    @property
    def name(self):
        return self._ask(self.accessible.get_name) or ""

    @property
    def role(self):
        return self._ask(self.accessible.get_role_name) or ""

    @property
    def description(self):
        return self._ask(self.accessible.get_description) or ""

    @property
    def text(self):
        """The text that stands in it; its name where it has none."""
        if "Text" not in self._ask(self.accessible.get_interfaces):
            return self.name
        text = self.accessible
        return self._ask(self.atspi.Text.get_text, text, 0, self._ask(self.atspi.Text.get_character_count, text))

    @property
    def value(self):
        if "Value" not in self._ask(self.accessible.get_interfaces):
            raise AssertionError(f"{self} has no value")
        return self._ask(self.atspi.Value.get_current_value, self.accessible)

    @property
    def value_text(self):
        return self._ask(self.atspi.Value.get_text, self.accessible)

    def set_value(self, value):
        self._ask(self.atspi.Value.set_current_value, self.accessible, value)

    def has_state(self, name):
        states = self._ask(self.accessible.get_state_set)
        return states.contains(getattr(self.atspi.StateType, name.upper()))

    @property
    def children(self):
        count = self._ask(self.accessible.get_child_count)
        found = (self._ask(self.accessible.get_child_at_index, i) for i in range(count))
        return [Node(self.atspi, child) for child in found if child is not None]

    def walk(self):
        """All that can be seen at and below it."""
        try:
            if not self.has_state("showing"):
                return
            children = self.children
        except Gone:
            return
        yield self
        for child in children:
            yield from child.walk()

    def actions(self):
        count = self._ask(self.atspi.Action.get_n_actions, self.accessible)
        return [self._ask(self.atspi.Action.get_action_name, self.accessible, i) for i in range(count)]

    def act(self, name):
        actions = self.actions()
        if name not in actions:
            raise AssertionError(f"{self} has no action {name}, only {actions}")
        self._ask(self.atspi.Action.do_action, self.accessible, actions.index(name))

    def click(self):
        self.act("click")

    def focus(self):
        self._ask(self.atspi.Component.grab_focus, self.accessible)

    def select_child(self, index):
        self._ask(self.atspi.Selection.select_child, self.accessible, index)

    def __str__(self):
        try:
            return f"{self.role} “{self.name}”"
        except Gone:
            return "something that has gone"


class Desk:
    """Display, buses, and what is heard on them."""

    def __init__(self):
        import gi  # pylint: disable=import-outside-toplevel
        gi.require_version("Atspi", "2.0")
        from gi.repository import Atspi, Gio, GLib  # pylint: disable=import-outside-toplevel
        self.atspi, self.gio, self.glib = Atspi, Gio, GLib
        self.context = GLib.MainContext.default()
        self.display = Display()
        launcher = next(path for path in BUS_LAUNCHERS if os.path.exists(path))
        # pylint: disable-next=consider-using-with
        self.launcher = subprocess.Popen([launcher, "--launch-immediately"], stderr=subprocess.DEVNULL)
        self.bus = Gio.bus_get_sync(Gio.BusType.SESSION)
        self.wait_for(lambda: self._has_owner("org.a11y.Bus"), "the accessibility bus")
        Atspi.init()
        self.announcements = []
        self.listener = Atspi.EventListener.new(self._on_event)
        self.listener.register("object:announcement")
        self.notifications = []
        self._serve_notifications()

    def close(self):
        self.listener.deregister("object:announcement")
        self.launcher.terminate()
        self.launcher.wait()

    def _has_owner(self, name):
        reply = self.bus.call_sync("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
                                   "NameHasOwner", self.glib.Variant("(s)", (name,)), None,
                                   self.gio.DBusCallFlags.NONE, -1)
        return reply.unpack()[0]

    def forget(self):
        """What was heard so far."""
        self.announcements.clear()
        self.notifications.clear()

    def _on_event(self, event):
        self.announcements.append(str(event.any_data))

    def _serve_notifications(self):
        """The desktop's service that shows notifications, as far as a program needs it."""
        info = self.gio.DBusNodeInfo.new_for_xml("""<node><interface name='org.freedesktop.Notifications'>
            <method name='Notify'><arg type='s' direction='in'/><arg type='u' direction='in'/>
            <arg type='s' direction='in'/><arg type='s' direction='in'/><arg type='s' direction='in'/>
            <arg type='as' direction='in'/><arg type='a{sv}' direction='in'/><arg type='i' direction='in'/>
            <arg type='u' direction='out'/></method>
            <method name='CloseNotification'><arg type='u' direction='in'/></method>
            <method name='GetCapabilities'><arg type='as' direction='out'/></method>
            <method name='GetServerInformation'><arg type='s' direction='out'/><arg type='s' direction='out'/>
            <arg type='s' direction='out'/><arg type='s' direction='out'/></method></interface></node>""")

        def call(_bus, _sender, _path, _interface, method, arguments, invocation):
            reply = None
            if method == "Notify":
                summary, body = arguments.unpack()[3:5]
                self.notifications.append(f"{summary}: {body}")
                reply = self.glib.Variant("(u)", (len(self.notifications),))
            elif method == "GetCapabilities":
                reply = self.glib.Variant("(as)", (["body", "actions"],))
            elif method == "GetServerInformation":
                reply = self.glib.Variant("(ssss)", ("test", "test", "1", "1.2"))
            invocation.return_value(reply)

        self.bus.register_object("/org/freedesktop/Notifications", info.interfaces[0], call, None, None)
        self.gio.bus_own_name_on_connection(self.bus, "org.freedesktop.Notifications",
                                            self.gio.BusNameOwnerFlags.NONE, None, None)

    def spin(self):
        """Lets what has been heard come in."""
        while self.context.iteration(False):
            pass

    def wait_for(self, check, what, patience=PATIENCE_S):
        """The first true answer of CHECK."""
        end = time.monotonic() + patience
        while True:
            self.spin()
            try:
                answer = check()
            except Gone:
                answer = None
            if answer:
                return answer
            if time.monotonic() > end:
                what = what() if callable(what) else what
                raise AssertionError(f"{what} did not come about within {patience} s")
            time.sleep(0.03)

    def key(self, *names):
        """One key, with those before it held: key("Control", "comma")."""
        import gi  # pylint: disable=import-outside-toplevel
        gi.require_version("Gdk", "4.0")
        from gi.repository import Gdk  # pylint: disable=import-outside-toplevel
        # Key codes of the modifiers on every PC keyboard under X.
        codes = {"Control": 37, "Shift": 50, "Alt": 64}
        for name in names[:-1]:
            self.atspi.generate_keyboard_event(codes[name], None, self.atspi.KeySynthType.PRESS)
        self.atspi.generate_keyboard_event(Gdk.keyval_from_name(names[-1]), None, self.atspi.KeySynthType.SYM)
        for name in reversed(names[:-1]):
            self.atspi.generate_keyboard_event(codes[name], None, self.atspi.KeySynthType.RELEASE)
        self.spin()

    def write(self, text):
        for letter in text:
            # The names of letters and digits are they themselves; the rest by their numbers.
            import gi  # pylint: disable=import-outside-toplevel
            gi.require_version("Gdk", "4.0")
            from gi.repository import Gdk  # pylint: disable=import-outside-toplevel
            self.atspi.generate_keyboard_event(Gdk.unicode_to_keyval(ord(letter)), None,
                                               self.atspi.KeySynthType.SYM)
        self.spin()


class Program:
    """The real program, started in folders of its own."""

    def __init__(self, desk, home, *args):
        self.desk = desk
        self.home = home
        self.log = tempfile.TemporaryFile(mode="w+")
        # pylint: disable-next=consider-using-with
        self.process = subprocess.Popen([os.environ["PLATEAU"], *args], env=self.environment(home),
                                        stdout=self.log, stderr=subprocess.STDOUT)

    @staticmethod
    def environment(home):
        """All that the program keeps is under HOME."""
        return {**os.environ, "HOME": home, "XDG_DATA_HOME": f"{home}/data", "XDG_CONFIG_HOME": f"{home}/config",
                "XDG_CACHE_HOME": f"{home}/cache", "XDG_STATE_HOME": f"{home}/state", "GTK_A11Y": "atspi",
                "GSETTINGS_BACKEND": "keyfile", "GDK_BACKEND": "x11", "GDK_DEBUG": "no-portals",
                "ADW_DISABLE_PORTAL": "1", "GSK_RENDERER": "cairo"}

    def application(self):
        desktop = self.desk.atspi.get_desktop(0)
        # What is remembered may be older than what is there.
        desktop.set_cache_mask(self.desk.atspi.Cache.NONE)
        for node in Node(self.desk.atspi, desktop).children:
            try:
                if node.accessible.get_process_id() == self.process.pid:
                    return node
            except self.desk.glib.Error:
                continue
        return None

    def windows(self):
        application = self.application()
        return [] if application is None else [node for node in application.children if node.has_state("showing")]

    def wait_until_closed(self, stay):
        """Until there are no windows but those of STAY (of display.py), and the program has let go of the others.
        The second question goes past the accessibility tree too."""
        def is_alone():
            if self.process.poll() is not None:
                raise AssertionError(f"the program ended with {self.process.returncode}: {self.output()}")
            return self.desk.display.windows() <= stay
        self.desk.wait_for(is_alone, "the end of a window")
        self.call("org.gtk.Actions", "List")

    def call(self, interface, method, arguments=None):
        """A call that the program answers from its main loop."""
        self.desk.bus.call_sync("io.github.plateau_bench.Plateau", "/io/github/plateau_bench/Plateau", interface, method,
                                arguments, None, self.desk.gio.DBusCallFlags.NONE, -1)

    def wait_for_window(self):
        return self.wait_for(self.windows, "the window")[0]

    def wait_for(self, check, what, **more):
        def alive_and():
            if self.process.poll() is not None:
                raise AssertionError(f"the program ended with {self.process.returncode}: {self.output()}")
            return check()
        try:
            return self.desk.wait_for(alive_and, what, **more)
        except AssertionError as error:
            raise AssertionError(f"{error}\n{self.screen()}") from None

    def bring_to_front(self):
        """As the desktop does for who clicks its icon. There is no window manager here that would give the
        keyboard back to a window when a dialog of it has closed."""
        self.call("org.freedesktop.Application", "Activate", self.desk.glib.Variant("(a{sv})", ({},)))
        self.wait_for(lambda: any(window.has_state("active") for window in self.windows()), "an active window")

    def search(self, role, name=None, under=None):
        """The first thing on the screen with ROLE (None = any) and NAME (a text, or a function of it)."""
        for root in [under] if under is not None else self.windows():
            for node in root.walk():
                try:
                    if role not in (None, node.role):
                        continue
                    if name is None or (name(node.name) if callable(name) else node.name == name):
                        return node
                except Gone:
                    continue
        return None

    def find(self, role, name=None, under=None, **more):
        shown = "" if name is None or callable(name) else f" “{name}”"
        return self.wait_for(lambda: self.search(role, name, under), f"{role or 'something'}{shown}", **more)

    def focused(self):
        return next((node for window in self.windows() for node in window.walk() if node.has_state("focused")), None)

    def tab_to(self, role, name):
        """By the keyboard; NAME is a text or a function of it."""
        reached = []
        for _ in range(40):
            node = self.wait_for(self.focused, "a focus")
            if node.role == role and (name(node.name) if callable(name) else node.name == name):
                return node
            reached.append(str(node))
            self.desk.key("Tab")
            self.wait_for(lambda before=node: not before.has_state("focused"), "the next focus")
        raise AssertionError(f"Tab does not reach {role} “{name}”, only {', '.join(dict.fromkeys(reached))}")

    def find_text(self, part, under=None, **more):
        """What says PART, whatever it is."""
        def says(name):
            return part in name
        return self.wait_for(lambda: self.search(None, says, under), f"the words “{part}”", **more)

    def wait_until_gone(self, role, name=None):
        self.wait_for(lambda: self.search(role, name) is None, f"the end of {role} “{name}”")

    def screen(self):
        """All that can be seen, for a failure's message."""
        lines = []
        for window in self.windows():
            for node in window.walk():
                with contextlib.suppress(Gone):
                    if node.name:
                        focus = " (focused)" if node.has_state("focused") else ""
                        lines.append(f"{node.role}: {node.name}{focus}")
        return "\n".join(lines)

    def output(self):
        self.log.seek(0)
        return self.log.read()

    def complaints(self):
        """What it has warned of, without what the toolkit says for no fault of the program."""
        return [line for line in self.output().splitlines()
                if ("-CRITICAL **" in line or "-WARNING **" in line) and not any(part in line for part in NO_FAULTS)]

    def quit(self):
        """Asks it to end, as the session does, and waits until it has."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        self.process.wait(PATIENCE_S)

    def wait_for_end(self):
        self.desk.wait_for(lambda: self.process.poll() is not None, "the end of the program")
        return self.process.returncode


def results(home):
    """The library of HOME, as plateau-cli tells it."""
    done = subprocess.run([os.environ["PLATEAU_CLI"], "results", "--json"], env=Program.environment(home),
                          capture_output=True, text=True, check=True)
    return json.loads(done.stdout)["results"]
