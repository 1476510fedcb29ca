import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { type Finished, type TenantProcess, tenant } from './tenant-process.ts'

interface UpFile {
  readonly pid: number
  readonly platform: {
    readonly url: string
    readonly caFile: string
    readonly domain: string
    readonly adminKeyFile: string
  }
  readonly kubeconfig: string
  readonly contexts: { readonly platform: string; readonly host: string; readonly tenants: Record<string, string> }
  readonly consoleUrl: string
}

interface Kubeconfig {
  readonly contexts: readonly {
    readonly name: string
    readonly context: { readonly cluster: string; readonly user: string }
  }[]
  readonly clusters: readonly { readonly name: string; readonly cluster: Record<string, string> }[]
  readonly users: readonly { readonly name: string; readonly user: { readonly token: string } }[]
}

const directory = mkdtempSync(join(tmpdir(), 'tenant-up-'))
const issuer = 'https://platform.example.com/oidc'
const up = (...more: readonly string[]) => tenant('up', '--no-demo', '--port', '0', '--data-dir', directory, ...more)
let running: TenantProcess
let file: UpFile
let kubeconfig: Kubeconfig

beforeAll(async () => {
  running = up()
  await running.line('ready')
  file = JSON.parse(readFileSync(join(directory, 'up.json'), 'utf8'))
  kubeconfig = JSON.parse(readFileSync(file.kubeconfig, 'utf8'))
}, 240_000)

afterAll(async () => {
  running.child.kill('SIGKILL')
  await running.finished
  rmSync(directory, { recursive: true, force: true })
})

function get(context: string, path: string): Promise<{ status: number; body: { kind: string; items?: unknown[] } }> {
  const { cluster, user } = kubeconfig.contexts.find(({ name }) => name === context)?.context ?? {
    cluster: '',
    user: '',
  }
  const server = kubeconfig.clusters.find(({ name }) => name === cluster)?.cluster ?? {}
  const token = kubeconfig.users.find(({ name }) => name === user)?.user.token
  const ca = Buffer.from(server['certificate-authority-data'] ?? '', 'base64')
  return new Promise((resolve, reject) => {
    request(`${server.server}${path}`, { ca, headers: { authorization: `Bearer ${token}` } }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) }))
    })
      .on('error', reject)
      .end()
  })
}

describe('tenant up --no-demo', () => {
  it('writes up.json with the fields that scripts rely on', () => {
    expect(file).toMatchObject({
      pid: running.child.pid,
      platform: { domain: 'platform.internal' },
      contexts: { platform: 'platform', host: 'host', tenants: {} },
      consoleUrl: `${file.platform.url}/`,
    })
    expect(readFileSync(file.platform.caFile, 'utf8')).toContain('BEGIN CERTIFICATE')
  })

  it('makes secrets readable only by their owner', () => {
    const modes = [file.platform.adminKeyFile, file.kubeconfig].map((path) => statSync(path).mode & 0o777)
    expect(modes).toEqual([0o600, 0o600])
  })

  it('serves core and management kinds on the platform, and core kinds on the host', async () => {
    expect((await get('platform', '/apis/management.platform.internal/v1/ownedaccesskeys')).status).toBe(200)
    expect((await get('platform', '/api/v1/namespaces/p-default')).status).toBe(200)
    expect((await get('host', '/api/v1/namespaces')).status).toBe(200)
  })

  it('refuses a second process on the same data, and names the first', async () => {
    const second = await up().finished
    expect(second.code).toBe(1)
    expect(second.stderr).toContain(String(running.child.pid))
    expect((await get('host', '/api/v1/namespaces')).status).toBe(200)
  }, 240_000)

  it('reports a port that is in use', async () => {
    const other = mkdtempSync(join(tmpdir(), 'tenant-up-'))
    const port = new URL(file.platform.url).port
    const refused = await tenant('up', '--no-demo', '--port', port, '--data-dir', other).finished
    expect(refused).toMatchObject({
      code: 1,
      stderr: `error: port ${port} is in use on 127.0.0.1: choose another with --port, or 0 for any\n`,
    })
    rmSync(other, { recursive: true })
  }, 240_000)

  it('stops cleanly, finds its data and its key again, and accepts a new key while it runs', async () => {
    const key = readFileSync(file.platform.adminKeyFile, 'utf8')
    running.child.kill('SIGTERM')
    const stopped: Finished = await running.finished
    expect([stopped.code, stopped.stderr]).toEqual([0, ''])
    expect(stopped.stdout).toContain(key.trim())
    running = up('--oidc-issuer', issuer)
    await running.line('ready')
    file = JSON.parse(readFileSync(join(directory, 'up.json'), 'utf8'))
    kubeconfig = JSON.parse(readFileSync(file.kubeconfig, 'utf8'))
    expect(readFileSync(file.platform.adminKeyFile, 'utf8')).toBe(key)
    expect((await get('platform', '/api/v1/namespaces/default')).status).toBe(200)
    expect((await get('platform', '/oidc/.well-known/openid-configuration')).body).toMatchObject({ issuer })
    const reset = await tenant('platform', 'admin', 'reset', '--data-dir', directory).finished
    expect(reset.stderr).toContain('the server has taken it')
    expect(reset.stdout).toContain(readFileSync(file.platform.adminKeyFile, 'utf8').trim())
    for (const context of ['platform', 'host']) {
      await eventually(async () => expect((await get(context, '/api/v1/namespaces')).status).toBe(401))
    }
    for (const context of ['platform', 'host']) {
      await eventually(async () => {
        kubeconfig = JSON.parse(readFileSync(file.kubeconfig, 'utf8'))
        expect((await get(context, '/api/v1/namespaces')).status).toBe(200)
      })
    }
    running.child.kill('SIGTERM')
    expect((await running.finished).stdout).not.toContain(key.trim())
  }, 240_000)
})

describe('wrong usage', () => {
  it.each([
    [['up', '--port', 'many'], 'A port is a whole number from 0 to 65535.'],
    [['up', '--prot', '1'], "unknown option '--prot'"],
    [['up', '--data-dir', ''], 'It must be the path of a directory.'],
    [['up', '--domain', 'a b'], 'It is not a domain: '],
    [
      ['platform', 'serve'],
      'error: --store <url> is missing: where objects are kept: file:DIR or etcd:URL[,URL]; see tenant platform serve --help',
    ],
    [['platform', 'serve', '--store', 'somewhere'], '"somewhere" is not a store: use file:DIR or etcd:URL[,URL]'],
    [['platform', 'serve', '--store', 'file:/nowhere', '--tls-cert', 'x'], '--tls-cert and --tls-key go together'],
    [['frobnicate'], "unknown command 'frobnicate'"],
  ])('%j exits with code 2 and the reason', async (args, message) => {
    const { code, stdout, stderr } = await tenant(...args).finished
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(message)
  })

  it('help has examples', async () => {
    const { code, stdout } = await tenant('up', '--help').finished
    expect(code).toBe(0)
    expect(stdout).toContain('Examples:')
  })
})
