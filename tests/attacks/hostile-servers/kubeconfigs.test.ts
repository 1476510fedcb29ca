import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { systemClock } from '../../../src/base/clock.ts'
import { loadClusterAccess } from '../../../src/client/kubeconfig/load.ts'
import { parseKubeconfig } from '../../../src/client/kubeconfig/parse.ts'
import { resolveContext } from '../../../src/client/kubeconfig/resolve.ts'
import { clusterAccessOf } from '../../../src/platform/proxy/cluster-access.ts'

const options = { clock: systemClock, env: process.env }

function kubeconfig(user: object = {}, cluster: object = {}): string {
  return JSON.stringify({
    clusters: [{ name: 'c', cluster: { server: 'https://127.0.0.1:1', ...cluster } }],
    users: [{ name: 'u', user }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  })
}

function resolved(user: object, cluster: object = {}) {
  return resolveContext(parseKubeconfig(kubeconfig(user, cluster), '/test/kubeconfig'), options)
}

function pluginThat(does: string): object {
  const file = join(mkdtempSync(join(tmpdir(), 'tenant-plugin-')), 'plugin')
  writeFileSync(file, `#!/bin/sh\n${does}\n`)
  chmodSync(file, 0o755)
  return { exec: { apiVersion: 'client.authentication.k8s.io/v1', command: file } }
}

describe('a kubeconfig', () => {
  test('of endless size is read only up to a limit', async () => {
    await expect(loadClusterAccess({ ...options, file: '/dev/zero' })).rejects.toThrow('larger than')
  })

  test.each([
    ['tokenFile', { tokenFile: '/dev/zero' }, {}],
    ['client-certificate', { 'client-certificate': '/dev/zero', 'client-key': '/dev/zero' }, {}],
    ['certificate-authority', {}, { 'certificate-authority': '/dev/zero' }],
  ])('with an endless %s is refused', async (_, user, cluster) => {
    await expect(resolved(user, cluster)).rejects.toThrow('larger than')
  })

  test('whose plugin prints endless output is refused, and the plugin is killed', async () => {
    const access = await resolved(pluginThat('while :; do echo xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done'))
    await expect(access.credentials.headers()).rejects.toThrow('its output is too long')
  })

  test('whose plugin prints endless errors is refused with a short message', async () => {
    const access = await resolved(pluginThat('yes complaint | head -c 100000 >&2; exit 1'))
    const error = await access.credentials.headers().catch((problem: Error) => problem.message)
    expect(String(error).length).toBeLessThan(1_000)
  })

  test('whose plugin prints JSON nested 20,000 levels deep gets no credentials', async () => {
    const access = await resolved(pluginThat(`head -c 20000 /dev/zero | tr '\\0' '['`))
    await expect(access.credentials.headers()).rejects.toThrow('printed no ExecCredential')
  })
})

describe('a kubeconfig in a Secret', () => {
  const place = 'Secret default/host'

  test('of a megabyte is refused before it is parsed', () => {
    const large = kubeconfig({ token: 'x'.repeat(1024 * 1024) })
    expect(() => clusterAccessOf(large, place, systemClock, false)).toThrow('more than 65536 bytes')
  })

  test.each([
    { exec: { apiVersion: 'client.authentication.k8s.io/v1', command: '/bin/true' } },
    { tokenFile: '/etc/passwd' },
    { 'client-certificate': '/etc/passwd' },
    { 'client-key': '/etc/shadow' },
  ])('runs no program and reads no file of the platform: %j', (user) => {
    expect(() => clusterAccessOf(kubeconfig(user), place, systemClock, false)).toThrow('not allowed in a Secret')
  })

  test('with exponential aliases is refused', () => {
    const levels = Array.from(
      { length: 12 },
      (_, index) => `a${index + 1}: &a${index + 1} [${Array(9).fill(`*a${index}`).join()}]`,
    )
    expect(() => clusterAccessOf(`a0: &a0 x\n${levels.join('\n')}\n`, place, systemClock, false)).toThrow(place)
  })
})
