import { chmodSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createExecCredentials } from './credentials.ts'
import { readExecCredential } from './protocol.ts'

const apiVersion = 'client.authentication.k8s.io/v1'

/** A plugin that is a shell script beside the kubeconfig. It counts how often it is run. */
function plugin(script: string, fields: object = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'tenant-exec-'))
  const runs = join(folder, 'runs')
  writeFileSync(join(folder, 'plugin'), `#!/bin/sh\necho run >> ${runs}\n${script}\n`)
  chmodSync(join(folder, 'plugin'), 0o755)
  let nowMs = Date.parse('2026-01-01T00:00:00Z')
  const section = {
    file: join(folder, 'config'),
    place: 'users["u"].user.exec',
    fields: { apiVersion, command: './plugin', ...fields },
  }
  const context = { clock: { now: () => nowMs }, env: { PATH: process.env.PATH }, cluster: { server: 'https://c' } }
  return {
    credentials: createExecCredentials(section, context),
    pass: (ms: number) => {
      nowMs += ms
    },
    runs: () => (existsSync(runs) ? readFileSync(runs, 'utf8').split('\n').length - 1 : 0),
  }
}

function printing(status: object): string {
  return `echo '${JSON.stringify({ apiVersion, kind: 'ExecCredential', status })}'`
}

describe('a credential plugin', () => {
  it('is run once for concurrent callers, and again when its credential expires', async () => {
    const { credentials, pass, runs } = plugin(printing({ token: 'one', expirationTimestamp: '2026-01-01T00:01:00Z' }))
    expect(runs()).toBe(0)
    const asked = await Promise.all([credentials.headers(), credentials.headers(), credentials.clientCertificate()])
    expect(asked).toEqual([{ authorization: 'Bearer one' }, { authorization: 'Bearer one' }, undefined])
    pass(50_000)
    await credentials.headers()
    expect(runs()).toBe(1)
    pass(6_000)
    await credentials.headers()
    expect(runs()).toBe(2)
  })

  it('is run again when its credential is refused, but not for each of many requests', async () => {
    const { credentials, pass, runs } = plugin(printing({ token: 'one' }))
    await credentials.headers()
    expect(credentials.refused('Bearer one')).toBe(false)
    pass(10_000)
    expect(credentials.refused('Bearer one')).toBe(true)
    await credentials.headers()
    expect(runs()).toBe(2)
    expect(credentials.refused('Bearer one')).toBe(false)
    expect(credentials.refused('Bearer from before')).toBe(true)
  })

  it('may return a certificate', async () => {
    const { credentials } = plugin(printing({ clientCertificateData: 'crt', clientKeyData: 'key' }))
    expect(await credentials.clientCertificate()).toEqual({ certificate: 'crt', key: 'key' })
    expect(await credentials.headers()).toEqual({})
  })

  it('gets its arguments, its environment and, if asked for, the cluster', async () => {
    const script = `echo "{\\"apiVersion\\":\\"${apiVersion}\\",\\"kind\\":\\"ExecCredential\\",\\"status\\":{\\"token\\":\\"$1-$NAME-$(echo "$KUBERNETES_EXEC_INFO" | tr -d '"\\\\')\\"}}"`
    const { credentials } = plugin(script, {
      args: ['first'],
      env: [{ name: 'NAME', value: 'value' }],
      provideClusterInfo: true,
    })
    const { authorization } = await credentials.headers()
    expect(authorization).toBe(
      `Bearer first-value-{apiVersion:${apiVersion},kind:ExecCredential,spec:{interactive:false,cluster:{server:https://c}}}`,
    )
  })

  it.each([
    ['exit 3', 'ended with 3'],
    ['echo "error: please log in" >&2; exit 1', 'failed: please log in'],
    ['echo secret', 'printed no ExecCredential'],
    [printing({}), 'printed neither a token nor a certificate'],
  ])('that fails (%s) reports why', async (script, reason) => {
    const failure = await plugin(script)
      .credentials.headers()
      .catch((error) => error.message)
    expect(failure).toContain(reason)
    expect(failure).not.toContain('secret')
  })

  it('that is not installed reports how to get it', async () => {
    const { credentials } = plugin('', { command: 'no-such-plugin', installHint: 'get it at https://p.example' })
    await expect(credentials.headers()).rejects.toThrow(/no-such-plugin failed: there is no such program\nget it at/)
  })
})

it.each([
  [{ kind: 'Pod' }, 'printed no ExecCredential'],
  [{ kind: 'ExecCredential', apiVersion: 'client.authentication.k8s.io/v1beta1' }, 'in another version'],
  [{ kind: 'ExecCredential', apiVersion, status: { token: 1 } }, 'status.token that is not a text'],
  [{ kind: 'ExecCredential', apiVersion, status: { clientKeyData: 'secret' } }, 'without the other'],
  [{ kind: 'ExecCredential', apiVersion, status: { token: 't', expirationTimestamp: 'x' } }, 'is no time'],
])('%j is refused', (printed, reason) => {
  expect(() => readExecCredential(JSON.stringify(printed), apiVersion, 'p')).toThrow(reason)
})
