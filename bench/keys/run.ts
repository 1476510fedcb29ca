import { createAccessKeyAuthenticator } from '../../src/auth/keys/authenticator.ts'
import { createDecider } from './decisions.ts'
import { bytesInUse, type Timing, timed } from './measure.ts'
import { measureBetterAuth } from './peers/better-auth.ts'
import { measureCasbin } from './peers/casbin.ts'
import { peersHint } from './peers/load.ts'
import { createIndex, createOwners, keyNumber, startMs } from './world.ts'

/**
 * Verifying access keys and deciding by scope, in process, compared with packages that do the same. Rates are per
 * second of CPU time, so that other load on the machine counts little.
 * `npx tsc -p tsconfig.bench.json && node dist-bench/bench/keys/run.js`, with KEYS=1000000 and OWNERS=100000 by
 * default.
 */

const keys = Number(process.env.KEYS ?? 1_000_000)
const sampled = Math.min(keys, 100_000)
const lines: string[] = []

function line(what: string, value: string | number, target = ''): void {
  const text = typeof value === 'string' ? value : Math.round(value).toLocaleString('en-US')
  lines.push(`| ${what.padEnd(70)} | ${text.padStart(14)} | ${target.padEnd(16)} |`)
}

function verdict(met: boolean, target: string): string {
  return `${target} ${met ? 'met' : 'missed'}`
}

function timing(what: string, { perSecond, p50Us, p99Us }: Timing): void {
  line(`${what}, per second`, perSecond)
  line(`${what}, median and p99 in µs`, `${p50Us.toFixed(1)} / ${p99Us.toFixed(1)}`)
}

const owners = createOwners()
const bytesBefore = bytesInUse()
const { index, keysByOwner, loadingMs } = createIndex(keys)
const bytesPerKey = (bytesInUse() - bytesBefore) / keys
const keysOfFirst = keysByOwner.namesOf([{ kind: 'user', name: 'user-0' }]).length

const tokens = Array.from({ length: sampled }, (_, number) => keyNumber(Math.floor((number * keys) / sampled)).value)
const unknown = tokens.map((token) => `x${token.slice(1)}`)
const authenticator = createAccessKeyAuthenticator({ index, owners, clock: { now: () => startMs + 1000 } })
const source = { address: '192.0.2.1', userAgent: 'kubectl' }

/** Jumps from one key to a distant one, so that no cache is warm. */
function authenticate(list: readonly string[], number: number, expected: string): void {
  const result = authenticator.authenticateToken(list[(number * 7919) % sampled] ?? '', undefined, source)
  if (result instanceof Promise || result.outcome !== expected) throw new Error(`A key is not ${expected}.`)
}

const verifying = timed(sampled, (number) => authenticate(tokens, number, 'authenticated'))
const refusing = timed(sampled, (number) => authenticate(unknown, number, 'unknown'))
const decide = createDecider()
const deciding = timed(sampled, (number) => void decide(number))
const bytesUsed = (bytesInUse() - bytesBefore) / keys

line('keys', keys)
line('keys of one owner', keysOfFirst)
line('taken into the index, per second', (keys * 1000) / loadingMs)
line('memory per key, bytes', bytesPerKey, verdict(bytesPerKey <= 700, '≤ 700'))
line('memory per key, bytes, with a tenth of the keys used', bytesUsed)
line('verified per second and core', verifying.perSecond, verdict(verifying.perSecond >= 50_000, '≥ 50,000'))
line('verified, p99 in µs', verifying.p99Us.toFixed(1), verdict(verifying.p99Us <= 200, '≤ 200'))
timing('unknown keys refused', refusing)
timing('decided by scope and RBAC', deciding)
for (const [peer, result] of [await measureBetterAuth(keys), await measureCasbin()] as const) {
  if (result === undefined) line(peer, 'not installed')
  else timing(peer, result)
}
process.stdout.write(`${lines.join('\n')}\n${peersHint}\n`)
