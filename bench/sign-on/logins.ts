import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Agent, request } from 'undici'
import { TestBrowser, verifier } from '../../tests/sign-on/support/browser.ts'
import { clientSecret, ScriptedIssuer } from '../../tests/sign-on/support/scripted-issuer.ts'
import { codeOf, loginPath } from '../../tests/sign-on/support/stage.ts'
import type { Subject } from '../contract.ts'
import { launchOurs } from '../servers/ours.ts'
import { usageOf } from '../servers/usage.ts'

/**
 * Sign-ins with OpenID Connect, from the button to the session: what each costs the platform. The provider is in this
 * process, separate from the platform's, and answers immediately, so its time is not included; processor time counts,
 * so other load on the machine is not included either.
 */
const management = '/apis/management.platform.internal/v1'
const atOnce = 8
const known = 50

async function main(first: number, again: number): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'tenant-bench-logins-'))
  const issuer = await ScriptedIssuer.start()
  const flags = ['--trusted-proxies', '127.0.0.1']
  const subject = await launchOurs(directory, { withKeys: true, flags })()
  const agent = new Agent({ connect: { ca: [subject.authority, issuer.authority] }, connections: atOnce })
  try {
    await prepare(subject, issuer, agent)
    const act = (number: number) => signIn(subject, agent, number)
    nameUsers(issuer, first)
    await measure('first sign-ins, each of another user', subject, first, act)
    nameUsers(issuer, known)
    await measure(`sign-ins of ${known} users who are known`, subject, again, act)
  } finally {
    await agent.close()
    await subject.stop()
    await issuer.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

/** One after the other, that many of them. */
function nameUsers(issuer: ScriptedIssuer, count: number): void {
  let next = 0
  issuer.script = {
    idToken: (right) => {
      const name = `user-${next++ % count}`
      return issuer.sign({ ...right, sub: name, preferred_username: name, groups: ['dev', 'ops'] })
    },
  }
}

async function measure(what: string, subject: Subject, count: number, act: (number: number) => Promise<void>) {
  const before = usageOf(subject.processIds).cpuSeconds
  const startedAt = performance.now()
  let next = 0
  const lane = async () => {
    for (let number = next++; number < count; number = next++) await act(number)
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  const seconds = (performance.now() - startedAt) / 1000
  const each = ((usageOf(subject.processIds).cpuSeconds - before) / count) * 1000
  print(
    `${count} ${what}: ${each.toFixed(1)} ms of processor time each, which is ${Math.floor(60_000 / each)} a minute on one core; ${Math.floor((count / seconds) * 60)} a minute in this run`,
  )
}

/** Each from a different address: the limits for one network are not measured. */
async function signIn(subject: Subject, agent: Agent, number: number): Promise<void> {
  const browser = new TestBrowser(originOf(subject), agent)
  const from = { 'x-forwarded-for': `198.18.${(number >> 8) % 256}.${number % 256}` }
  const sent = await browser.visit(loginPath('corp'), { 'sec-fetch-site': 'same-origin', ...from })
  const back = await browser.visit(sent.location)
  const callback = await browser.visit(back.location, from)
  const session = await browser.post('/auth/session', { code: codeOf(callback), verifier }, from)
  if (session.status !== 200) throw new Error(`sign-in ${number} failed: ${callback.text}${session.text}`)
}

async function prepare(subject: Subject, { url: issuer, authority: caBundle }: ScriptedIssuer, agent: Agent) {
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'tenant-platform' } }
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'sso' }, stringData: { clientSecret } }
  const oidc = { issuer, clientId: 'platform', clientSecretRef: { name: 'sso' }, caBundle }
  const apiVersion = management.slice('/apis/'.length)
  const connector = { apiVersion, kind: 'Connector', metadata: { name: 'corp' }, spec: { type: 'oidc', oidc } }
  await must(subject, agent, '/api/v1/namespaces', namespace)
  await must(subject, agent, '/api/v1/namespaces/tenant-platform/secrets', secret)
  await must(subject, agent, `${management}/connectors`, connector)
}

async function must(subject: Subject, dispatcher: Agent, path: string, body: object): Promise<void> {
  const headers = { authorization: `Bearer ${subject.token}`, 'content-type': 'application/json' }
  const options = { method: 'POST', dispatcher, headers, body: JSON.stringify(body) } as const
  const answer = await request(originOf(subject) + path, options)
  const text = await answer.body.text()
  if (answer.statusCode >= 300 && answer.statusCode !== 409) throw new Error(`${path}: ${text}`)
}

function originOf({ host, port }: Subject): string {
  return `https://${host}:${port}`
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

const [first = '500', again = '1500'] = process.argv.slice(2)
await main(Number(first), Number(again))
