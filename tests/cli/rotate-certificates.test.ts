import { X509Certificate } from 'node:crypto'
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { connect } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findKubectls } from '../support/clusters/kubectl.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/network/free-port.ts'
import { run, tenantIn } from '../support/programs/command.ts'
import { type TenantProcess, tenant as tenantProcess } from './tenant-process.ts'

const home = mkdtempSync(join(tmpdir(), 'tenant-rotate-'))
const data = join(home, '.tenant/data')
/** The kubeconfig that users were given before. */
const kubeconfig = join(home, 'before')
const kubectls = findKubectls()
const tenant = tenantIn(home)
let up: TenantProcess
let port: number
let firstAuthority: string

function kubectl(context: string, words: string, binary = kubectls[0]): Promise<string> {
  if (binary === undefined) throw new Error('there is no kubectl: tests/support/fetch-kubectl gets one')
  const args = ['--kubeconfig', kubeconfig, '--context', context, ...words.split(' ')]
  return run(binary.command, args, { env: { PATH: process.env.PATH, HOME: home } })
}

async function start(): Promise<void> {
  up = tenantProcess('up', '--port', String(port), '--data-dir', data)
  await up.line('ready')
}

beforeAll(async () => {
  port = await freePort()
  await start()
  copyFileSync(join(data, 'kubeconfig'), kubeconfig)
  const { platform } = JSON.parse(readFileSync(join(data, 'up.json'), 'utf8'))
  firstAuthority = readFileSync(platform.caFile, 'utf8')
  const login = ['platform', 'login', platform.url, '--ca', platform.caFile, '--access-key-stdin']
  await tenant(login, readFileSync(platform.adminKeyFile, 'utf8'))
}, 240_000)
afterAll(async () => {
  up?.child.kill('SIGKILL')
  await up?.finished
  rmSync(home, { recursive: true, force: true })
})

/** Uses a separate connection, by a client that trusts only the given authority. */
function status(path: string, ca: string, headers = {}, method = 'GET'): Promise<number> {
  return new Promise((resolve, reject) => {
    const options = { method, ca, headers, agent: false as const }
    request(`https://127.0.0.1:${port}${path}`, options, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
      .on('error', reject)
      .end()
  })
}

function shown(): Promise<X509Certificate> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
      const certificate = socket.getPeerX509Certificate()
      socket.destroy()
      if (certificate === undefined) reject(new Error('the server shows no certificate'))
      else resolve(certificate)
    })
    socket.on('error', reject)
  })
}

/** Sends requests one after the other until it is stopped, and returns how many; every failure fails the test. */
function asking(ask: () => Promise<unknown>, pauseMs: number): () => Promise<number> {
  let isOver = false
  const asked = (async () => {
    let count = 0
    for (; !isOver; count += 1) {
      await ask()
      await delay(pauseMs)
    }
    return count
  })()
  asked.catch(() => {})
  return () => {
    isOver = true
    return asked
  }
}

const keyId = (token: string) => JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid
const bearer = (token: string) => ({ authorization: `Bearer ${token.trim()}` })
const self = '/apis/authentication.k8s.io/v1/tokenreviews'

describe('tenant platform rotate-certificates', () => {
  let token = ''

  it('fails no request of clients that trust only the previous authority, even on new connections', async () => {
    token = await kubectl('platform', 'create token default')
    const [before, live] = [await shown(), await status('/livez', firstAuthority)]
    expect(live).toBe(200)
    const ends = [
      asking(async () => expect(await status('/livez', firstAuthority)).toBe(200), 5),
      asking(() => kubectl('platform', 'get namespace default -o name'), 200),
      asking(() => kubectl('tenant_demo', 'get namespace default -o name'), 200),
    ]
    const told = await tenant(['platform', 'rotate-certificates'])
    const virtual = await tenant(['platform', 'rotate-certificates', '--virtual-cluster', 'demo', '-o', 'json'])
    for (const binary of kubectls) {
      expect(await kubectl('platform', 'get namespace default -o name', binary)).toBe('namespace/default\n')
      expect(await kubectl('tenant_demo', 'get namespace default -o name', binary)).toBe('namespace/default\n')
    }
    for (const end of ends) expect(await end()).toBeGreaterThan(0)
    const after = await shown()
    expect(after.issuer).not.toBe(before.issuer)
    expect(told).toMatch(/^authority +replaced$/m)
    expect(told).toContain('also trusted          1 before it')
    expect(JSON.parse(virtual).parts).toEqual({
      certificate: 'replaced',
      authority: 'replaced',
      'service-account-keys': 'replaced',
    })
    expect(await tenant(['list'])).toMatch(/^demo +default +Online/m)
  }, 240_000)

  it('is trusted by clients with only the new authority, and published in every namespace', async () => {
    const [authority = ''] = readFileSync(join(data, 'pki/ca.crt'), 'utf8').split(/(?<=-----END CERTIFICATE-----\n)/)
    expect(new X509Certificate(authority).subject).toBe((await shown()).issuer)
    expect(await status('/livez', authority)).toBe(200)
    await eventually(async () => {
      const published = await kubectl('tenant_demo', 'get configmap kube-root-ca.crt -o jsonpath={.data.ca\\.crt}')
      expect(published.match(/BEGIN CERTIFICATE/g)).toHaveLength(2)
    })
  })

  it('signs tokens with a new key, and accepts those of the previous key', async () => {
    expect(keyId(await kubectl('platform', 'create token default'))).not.toBe(keyId(token))
    // The token is known but has no rights: a stranger would get 401.
    expect(await status(self, firstAuthority, bearer(token))).toBe(403)
    expect(await status('/certificates/rotate', firstAuthority, bearer(token), 'POST')).toBe(403)
  })

  it('survives a restart', async () => {
    up.child.kill('SIGTERM')
    await up.finished
    await start()
    expect(await status('/livez', firstAuthority)).toBe(200)
    expect(await status(self, firstAuthority, bearer(token))).toBe(403)
  }, 240_000)

  it('ends the previous authority at once with an overlap of zero', async () => {
    await tenant(['platform', 'rotate-certificates', '--overlap', '0s'])
    await expect(status('/livez', firstAuthority)).rejects.toThrow(/unable to (verify|get)|self.signed/)
    const authority = readFileSync(join(data, 'pki/ca.crt'), 'utf8')
    expect(authority.match(/BEGIN CERTIFICATE/g)).toHaveLength(1)
    expect(await status(self, authority, bearer(token))).toBe(401)
  })

  it('is refused to other users, and for an unknown part', async () => {
    const authority = readFileSync(join(data, 'pki/ca.crt'), 'utf8')
    expect(await status('/certificates/rotate', authority, {}, 'POST')).toBe(403)
    await expect(tenant(['platform', 'rotate-certificates', '--only', 'everything'])).rejects.toThrow('ended with 2')
  })
})
