/** The result of an attempt. In every case the process is healthy and the next evaluation is right. */
export type Outcome =
  /** Refused by the gate. */
  | 'refused'
  /** Passes the gate, and fails with a failure of that kind. */
  | { readonly failed: 'thrown' | 'not-json' | 'timeout' | 'memory' | 'crashed' }
  /** Fails because of time or memory, whichever is exhausted first. */
  | 'exhausted'
  /** Harmless: evaluates to that value. */
  | { readonly gives: unknown }
  | 'removed'

export interface Attempt {
  readonly source: string
  readonly outcome: Outcome
  readonly value?: unknown
}

const thrown = { failed: 'thrown' } as const
const timeout = { failed: 'timeout' } as const
const memory = { failed: 'memory' } as const
const notJson = { failed: 'not-json' } as const

function attempts(outcome: Outcome, sources: readonly string[], value?: unknown): readonly Attempt[] {
  return sources.map((source) => ({ source, outcome, value }))
}

/** Statements as the body of a function that is called at once. */
function steps(...lines: readonly string[]): string {
  return `(() => { ${lines.join('; ')} })()`
}

export const escapeAttempts: Readonly<Record<string, readonly Attempt[]>> = {
  'making code from text': [
    ...attempts('refused', [
      'eval("1")',
      '(0, eval)("1")',
      'Function("return 1")()',
      'new Function("return this")()',
      'import("node:fs")',
      'import.meta.url',
      'WebAssembly.compile(value)',
      'setTimeout("1")',
    ]),
    ...attempts(
      thrown,
      [
        '(() => {}).constructor("return 1")()',
        '"".constructor.constructor("return process")()',
        'value.constructor.constructor("return this")()',
        'Object.getPrototypeOf(function* () {}).constructor("yield 1")()',
        'Reflect.construct((() => {}).constructor, ["return 1"])()',
        'Object.getPrototypeOf(Object.getPrototypeOf((function* () {})())).constructor.constructor("return 1")()',
        '[].map.constructor`return 1`()',
        'atob.constructor("return 1")()',
        'virtualToHostDNS.constructor("return 1")()',
        'Array.from.call((() => {}).constructor, ["return 1"])[0]()',
        '(function () { return arguments.callee.constructor })()',
        '(function () { return (function f() { return f.caller })() })()',
      ],
      {},
    ),
  ],
  'reaching the host': [
    ...attempts('refused', [
      'process.exit(1)',
      'require("fs").readFileSync("/etc/passwd")',
      'globalThis.process',
      'this.constructor',
      'self.postMessage(1)',
      'fetch("http://169.254.169.254/")',
      'new XMLHttpRequest()',
      'Deno.readTextFile("/etc/passwd")',
      'std.open("/etc/passwd")',
      'os.exec(["sh"])',
      'scriptArgs',
      'print(value)',
      'console.log(value)',
      'new Worker("a")',
      'new SharedArrayBuffer(8)',
      'Atomics.wait(value)',
      'Intl.DateTimeFormat()',
      'performance.now()',
      'queueMicrotask(() => {})',
      'structuredClone(value)',
      'navigator.userAgent',
      'new WeakRef(value)',
      'new FinalizationRegistry(() => {})',
      'gc()',
    ]),
    ...attempts(
      { gives: [] },
      // These names do not exist.
      [
        '["process", "require", "global", "Deno", "std", "os", "print", "load", "expose", "translate"].filter((name) => typeof Reflect.get((function () { return Object })(), name) !== "undefined")',
      ],
    ),
    ...attempts({ gives: 'undefined' }, ['typeof globalThis', 'typeof process', 'typeof Function', 'typeof Promise']),
    ...attempts('removed', ['(function () { return this })()', '(function () { return this }).call(undefined)']),
  ],
  'statements and what only fits a wrapper': attempts('refused', [
    'value) => 1, (() => (',
    '1\n), eval("1"), (',
    'value }) ({',
    'value /*',
    'value <!-- comment',
    '1\n--> comment',
    '}; globalThis.x = 1; {',
    'value; 1',
    'debugger',
    'await value',
    'yield value',
    'async () => value',
    '(async function () {})()',
    '(async function* () {})()',
    '(() => { for await (const a of value) {} })()',
    'new.target',
    'super.x',
    'arguments',
    'return value',
    '"\\u{110000}"',
    '#x in value',
  ]),
  'leaving something behind': [
    ...attempts(thrown, [
      'Object.prototype.polluted = 1',
      'Array.prototype.push = () => 1',
      'String.prototype.startsWith = () => true',
      'JSON.stringify = () => "{}"',
      'JSON.parse = () => 1',
      'Math.max = Math.min',
      'atob.cache = 1',
      'virtualToHostDNS.cache = 1',
      'Object.defineProperty(Object.prototype, "toJSON", { value: () => 1 })',
      'Object.setPrototypeOf(Object.prototype, { a: 1 })',
      'Object.setPrototypeOf(Array.prototype, { a: 1 })',
      'Reflect.getPrototypeOf([].values()).next = () => ({ done: true })',
      'Object.getPrototypeOf(function* () {}).x = 1',
      'Object.getPrototypeOf(Object.getPrototypeOf((function* () {})())).x = 1',
      'Object.getPrototypeOf("a".matchAll(/a/g)).x = 1',
      'Object.getPrototypeOf([].values().map((a) => a)).x = 1',
      'Object.getPrototypeOf(Int8Array).x = 1',
      'Object.getOwnPropertyDescriptor(Error.prototype, "name").get.x = 1',
      'Object.getOwnPropertyDescriptor((function () { return arguments })(), "callee").get.x = 1',
      'Object.assign(Object.prototype, { a: 1 })',
      'Symbol.iterator.description = 1',
      'context.vcluster.config.sync = 1',
      'context.vcluster.config.added = 1',
      'context.virtualObject.metadata.labels.app = "other"',
      'context.path = 1',
      'delete context.hostObject.kind',
      'context.virtualObject.subsets.push(1)',
      'Object.prototype.toString = () => 1',
      'Error.prototype.name = 1',
      'Error.stackTraceLimit = 0',
      'Error.prepareStackTrace = () => 1',
      'Error.captureStackTrace({})',
      'Date.now = () => 1',
    ]).map((attempt) => (attempt.source === 'undeclared = 1' ? { ...attempt, outcome: 'refused' as const } : attempt)),
    ...attempts({ gives: 1 }, [steps('const o = {}', 'o.__proto__ = { polluted: 1 }', 'return ({}).polluted ?? 1')]),
    ...attempts({ gives: { a: { __proto__: null } } }, [
      steps('const o = JSON.parse(\'{"__proto__": {"a": 1}}\')', 'return { a: Object.assign({}, { x: ({}).a }) }'),
    ]),
  ],
  'results that are not what they seem': [
    ...attempts(notJson, [
      '() => 1',
      'Symbol("a")',
      'NaN',
      '-Infinity',
      '[undefined]',
      '[, 1]',
      '({ a: { b: [() => 1] } })',
      '({ [Symbol("a")]: 1 })',
      '({ toJSON() { return "fooled" } })',
      '({ toJSON: () => { throw 1 } })',
      'new Date(0)',
      'new Map([[1, 2]])',
      'new Set([1])',
      '/a/',
      'new Error("a")',
      'new String("a")',
      'new Uint8Array(4)',
      'new (class Own {})()',
      'class A extends (() => {}).constructor {}',
      steps('const a = []', 'a.push(a)', 'return a'),
      steps('const a = {}', 'a.b = { c: a }', 'return a'),
      steps('let a = []', 'for (let i = 0; i < 2000; i++) a = [a]', 'return a'),
      'Object.create({ inherited: 1 })',
      steps('let a = {}', 'for (let i = 0; i < 1500; i++) a = { a }', 'return a'),
      '(function* () { yield 1 })()',
      'new Proxy(() => 1, {})',
    ]),
    ...attempts({ gives: 1 }, [
      // Each member is read once, and that value counts.
      steps('let reads = 0', 'const o = { get a() { return ++reads } }', 'return new Proxy(o, {}).a'),
    ]),
    ...attempts({ gives: { a: 1 } }, [
      steps('let reads = 0', 'return { get a() { return ++reads } }'),
      steps('let reads = 0', 'return new Proxy({ a: 0 }, { get: () => ++reads })'),
      'new Proxy({ a: 1 }, { getPrototypeOf: () => Object.prototype })',
      '({ a: 1, b: undefined })',
    ]),
    ...attempts(thrown, [
      '({ get a() { throw new Error("no") } })',
      'new Proxy({}, { ownKeys() { throw new Error("no") } })',
      'new Proxy({}, { getPrototypeOf() { throw new Error("no") } })',
      steps('const { proxy, revoke } = Proxy.revocable({}, {})', 'revoke()', 'return proxy'),
      steps('throw { get message() { throw 1 } }'),
      steps('throw new Proxy({}, { get() { throw 1 }, getPrototypeOf() { throw 2 } })'),
      steps('const e = new Error()', 'Object.defineProperty(e, "stack", { get() { throw 1 } })', 'throw e'),
      steps('const e = new Error()', 'Object.defineProperty(e, "message", { value: Symbol() })', 'throw e'),
      steps('throw Object.create(Error.prototype)'),
      steps('throw Symbol("a")'),
      steps('throw undefined'),
      steps('throw "x".repeat(100000)'),
    ]),
    ...attempts({ gives: { toJSON: 'text', __proto__: null } }, ['({ toJSON: "text" })']),
  ],
  'taking all the time': [
    ...attempts(timeout, [
      steps('for (;;) {}'),
      steps('while (true) try { for (;;) {} } catch {}'),
      steps('try { for (;;) {} } finally { for (;;) {} }'),
      '(function f(n) { return n === 0 ? 1 : f(n - 1) + f(n - 1) })(60)',
      '/(a+)+$/.test("a".repeat(40) + "b")',
      '/(?:a|a)*$/.test("a".repeat(60) + "b")',
      '/(.*)*x/.exec("a".repeat(60))',
      '"a".repeat(60).concat("b").replace(/(a|aa)+$/, "")',
      '"a".repeat(60).concat("b").split(/(?:a|aa)+$/)',
      '[...(function* () { for (;;) yield })().filter(() => false)]',
      steps('for (const a of (function* () { for (;;) yield 1 })()) {}'),
      steps('for (const a of { [Symbol.iterator]: () => ({ next: () => ({ done: false }) }) }) {}'),
      'Array.from({ length: 1 }, () => { for (;;) {} })',
      '[3, 2, 1].sort(() => { for (;;) {} })',
      'Array.from({ length: 5000 }, (_, i) => -i).sort((a, b) => { for (let i = 0; i < 500; i++); return a - b })',
      '[].indexOf.call({ length: 2 ** 53 - 1 }, 1)',
      '[].includes.call({ length: 2 ** 53 - 1 }, 1)',
      '[].lastIndexOf.call({ length: 2 ** 53 - 1 }, 1)',
      '[].copyWithin.call({ length: 2 ** 53 - 1 }, 0, 1)',
      '[].every.call({ length: 2 ** 53 - 1 }, () => true)',
      'Reflect.ownKeys(new Proxy({}, { ownKeys() { for (;;) {} } }))',
      '({ get a() { for (;;) {} } })',
      'new Proxy({}, { ownKeys() { for (;;) {} } })',
      steps('const o = { toString() { for (;;) {} } }', 'return "" + o'),
      steps('throw Object.setPrototypeOf({ get message() { for (;;) {} } }, Error.prototype)'),
      'JSON.stringify({ toJSON() { for (;;) {} } })',
      'JSON.parse("[1]", () => { for (;;) {} })',
      '"a".replace(/a/, () => { for (;;) {} })',
      'new Set((function* () { for (;;) yield 1 })()).size',
      'Array.from({ length: 200 }, () => virtualToHostDNS).map((f) => { for (;;) f("a") })',
    ]),
    ...attempts('exhausted', [
      '[].join.call({ length: 2 ** 31 - 1 }, "")',
      '[].fill.call({ length: 2 ** 53 - 1 }, 1)',
      '[].reverse.call({ length: 2 ** 53 - 1 })',
      '[].concat.call([], { length: 2 ** 53 - 1, [Symbol.isConcatSpreadable]: true })',
      '[].splice.call({ length: 2 ** 53 - 1 }, 0, 1)',
      'new Proxy([], { get: (_, key) => (key === "length" ? 2 ** 40 : 1) })',
      'new Array(2 ** 32 - 1).sort()',
      steps('let o = {}', 'for (let i = 0; i < 1e6; i++) o = Object.create(o)', 'return o.x'),
      steps('const a = [{}]', 'for (let i = 0; i < 40; i++) a.push([a[i], a[i]])', 'return a[40]'),
    ]),
  ],
  'taking all the memory': [
    ...attempts(memory, [
      '"a".repeat(2 ** 28)',
      '"a".padEnd(1e9)',
      'new Array(1e9).fill(0)',
      'new Uint8Array(1e9)',
      'new ArrayBuffer(2 ** 31 - 1)',
      '"a".repeat(1e6).split("")',
      '[..."a".repeat(1e6)]',
      steps('const a = []', 'for (;;) a.push(new Array(100000).fill(0))'),
      steps('let s = "ab"', 'for (;;) s = [s, s].join("")'),
      steps('const a = []', 'for (;;) try { a.push("x".repeat(1e6)) } catch (e) { throw e }'),
      'Array.from({ length: 1e8 }, () => "x".repeat(1e6).concat("y"))',
    ]),
    // Time or memory, whichever is exhausted first.
    ...attempts('exhausted', [
      'btoa("a".repeat(3e6)) + btoa("b".repeat(3e6))',
      steps('const m = new Map()', 'for (let i = 0; ; i++) m.set(i, "x".repeat(1e6) + i)'),
      '[...(function* () { for (let i = 0; ; i++) yield "x".repeat(1e6) + i })()]',
    ]),
    ...attempts(thrown, [
      '"a".repeat(2 ** 31)',
      'new Array(2 ** 32)',
      '(function f() { return f() + 1 })()',
      '(function f() { return [1].map(f) })()',
      'JSON.parse("[".repeat(100000))',
      'Array.from({ length: 8000 }).reduce((f) => () => f(), () => 1)()',
      steps('const o = { toString: () => "" + o }', 'return "" + o'),
      steps('class A { get x() { return this.x } }', 'return new A().x'),
      steps('let p = {}', 'for (let i = 0; i < 20000; i++) p = new Proxy(p, {})', 'return p.x'),
      'new RegExp("(?:".repeat(20000) + ")".repeat(20000))',
    ]),
    ...attempts(notJson, ['"a".repeat(3.5 * 1024 * 1024)', 'Array(4).fill("a".repeat(1024 * 1024))']),
  ],
  'telling runs apart': [
    ...attempts(thrown, ['Date.now()', 'new Date()', 'Date()', 'Math.random()', 'new (new Date(0)).constructor()']),
    ...attempts({ gives: '1970-01-01T00:00:00.000Z' }, ['new Date(0).toISOString()']),
    ...attempts({ gives: 0 }, ['new Date(0).getTimezoneOffset()', 'new Date(2020, 6, 1).getTimezoneOffset()']),
  ],
}
