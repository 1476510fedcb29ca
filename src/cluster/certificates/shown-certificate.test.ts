import { X509Certificate } from 'node:crypto'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { replaceAuthority } from '../../base/certificates/ensure.ts'
import { systemClock } from '../../base/clock.ts'
import { silentLog } from '../../base/log.ts'
import { usersAuthority } from './client-authorities.ts'
import { type ServerTls, serverTls, type TlsFlags } from './server-tls.ts'
import { ShownCertificate, type ShownTls } from './shown-certificate.ts'

const day = 24 * 3_600_000
let directory = ''
let nowMs = 0
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tenant-certificate-'))
  nowMs = Date.parse('2026-11-16T00:00:00Z')
})
afterEach(() => rmSync(directory, { recursive: true }))

function read(more: readonly string[], flags: TlsFlags = {}): Promise<ServerTls> {
  return serverTls({ ...flags, directory, name: 'server', names: more, clock: { now: () => nowMs } })
}

async function open(flags: TlsFlags = {}) {
  const certificate = await ShownCertificate.open({ read: (more) => read(more, flags), log: silentLog })
  const used: ServerTls[] = []
  certificate.start(async (tls) => {
    used.push(tls)
  })
  return { certificate, used }
}

it('is renewed before it ends, by the same authority, and only then', async () => {
  const { certificate, used } = await open()
  const first = certificate.shown
  nowMs += 300 * day
  await certificate.look()
  expect(used).toEqual([])
  nowMs += 40 * day
  await certificate.look()
  expect(used).toHaveLength(1)
  expect(used[0]?.authority).toBe(first.authority)
  expect(Date.parse(new X509Certificate(certificate.shown.certificate).validTo)).toBeGreaterThan(nowMs + 300 * day)
  await certificate.stop()
})

it('keeps later names when it is renewed', async () => {
  const { certificate } = await open()
  await certificate.answerAs('later.example.com')
  nowMs += 350 * day
  await certificate.look()
  expect(new X509Certificate(certificate.shown.certificate).checkHost('later.example.com')).toBe('later.example.com')
  await certificate.stop()
})

it('follows replaced files, and stays unchanged while they cannot be used', async () => {
  const file = (name: string) => join(directory, name)
  const put = async (name: string) => {
    await serverTls({ directory: file(name), name: 'server', names: [] })
    for (const each of ['crt', 'key']) copyFileSync(file(`${name}/pki/server.${each}`), file(`tls.${each}`))
  }
  await put('one')
  const { certificate, used } = await open({ tlsCert: file('tls.crt'), tlsKey: file('tls.key') })
  const first = certificate.shown
  await certificate.look()
  expect(used).toEqual([])
  copyFileSync(file('one/pki/ca.key'), file('tls.key'))
  await certificate.look()
  expect(certificate.shown).toBe(first)
  await put('two')
  await certificate.look()
  expect(used).toEqual([certificate.shown])
  expect(certificate.shown.certificate).not.toBe(first.certificate)
  await certificate.stop()
})

it('is made by a given authority, which stays where it is', async () => {
  await serverTls({ directory: join(directory, 'authority'), name: 'server', names: [] })
  const [tlsCa, tlsCaKey] = ['ca.crt', 'ca.key'].map((name) => join(directory, 'authority/pki', name))
  if (tlsCa === undefined || tlsCaKey === undefined) throw new Error('no files')
  const made = await read(['platform.example.com'], { tlsCa, tlsCaKey })
  const certificate = new X509Certificate(made.certificate)
  expect(certificate.verify(new X509Certificate(made.authority).publicKey)).toBe(true)
  expect(certificate.checkHost('platform.example.com')).toBe('platform.example.com')
  expect(made.authorityFile).toBe(tlsCa)
  expect(await read(['platform.example.com'], { tlsCa, tlsCaKey })).toEqual(made)
  await expect(read([], { tlsCa: made.authorityFile, tlsCaKey: join(directory, 'pki/server.key') })).rejects.toThrow(
    'does not belong to the certificate',
  )
  await expect(read([], { tlsCaKey })).rejects.toThrow('--tls-ca-key goes with --tls-ca')
})

it('follows the authority of users, which another replica may have replaced', async () => {
  const place = { directory: join(directory, 'pki/server'), name: 'client-ca', clock: systemClock }
  const readBoth = async (more: readonly string[]) => ({
    ...(await read(more)),
    clientCa: (await usersAuthority({ directory, name: 'server' })).cert,
  })
  const certificate = await ShownCertificate.open({ read: readBoth, log: silentLog })
  const used: ShownTls[] = []
  certificate.start(async (tls) => void used.push(tls))
  const { clientCa = '', certificate: shown } = certificate.shown
  await certificate.look()
  expect(used).toEqual([])
  await replaceAuthority(place)
  await certificate.look()
  expect(used).toHaveLength(1)
  expect(used[0]?.certificate).toBe(shown)
  // Earlier ones are trusted as long as they are valid.
  expect(used[0]?.clientCa).toContain(clientCa.trim())
  expect(used[0]?.clientCa).not.toBe(clientCa)
  await certificate.stop()
})
