import { X509Certificate } from 'node:crypto'
import { mkdtemp, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemRandom } from '../random.ts'
import { madeAtMs } from './authority-bundle.ts'
import { ensureCertificates, replaceAuthority } from './ensure.ts'

const start = Date.parse('2026-11-15T00:00:00Z')
const day = 24 * 3_600_000

let directory = ''
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'certificates-'))
})
afterEach(() => rm(directory, { recursive: true }))

function ensure(names: readonly string[] = [], nowMs = start) {
  return ensureCertificates({ directory, name: 'server', names, clock: { now: () => nowMs }, random: systemRandom })
}

describe('the certificate of a server', () => {
  it('is signed by its own authority and names the addresses of the server', async () => {
    const { certificate, authority: ca } = await ensure(['platform.example.com', '10.1.2.3', 'fd00::12'])
    const [server, authority] = [new X509Certificate(certificate), new X509Certificate(ca)]
    expect(server.verify(authority.publicKey)).toBe(true)
    expect(server.checkIssued(authority)).toBe(true)
    expect(authority.ca).toBe(true)
    expect(server.ca).toBe(false)
    expect(server.subjectAltName).toBe(
      'DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1, DNS:platform.example.com, IP Address:10.1.2.3, IP Address:FD00:0:0:0:0:0:0:12',
    )
    expect(server.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1'])
  })

  it.each([
    ['10.0.0.1', '10.0.0.1'],
    ['255.255.255.255', '255.255.255.255'],
    ['::', '0:0:0:0:0:0:0:0'],
    ['::ffff:10.0.0.1', '0:0:0:0:0:FFFF:A00:1'],
    ['64:ff9b::192.0.2.33', '64:FF9B:0:0:0:0:C000:221'],
    ['fe80::1', 'FE80:0:0:0:0:0:0:1'],
    ['1:2:3:4:5:6:7:8', '1:2:3:4:5:6:7:8'],
    ['2001:DB8::', '2001:DB8:0:0:0:0:0:0'],
  ])('names the address %s', async (address, expected) => {
    const { certificate } = await ensure([address])
    const server = new X509Certificate(certificate)
    expect(server.subjectAltName).toContain(`IP Address:${expected}`)
    expect(server.checkIP(address)).toBe(address)
  })

  it('is kept over restarts', async () => {
    expect(await ensure()).toEqual(await ensure([], start + 300 * day))
  })

  it.each([
    ['it is about to expire', [], start + 340 * day],
    ['a name has been added', ['new.example.com'], start],
  ])('is renewed when %s, by the same authority', async (_why, names, nowMs) => {
    const before = await ensure()
    const after = await ensure(names, nowMs)
    expect(after.certificate).not.toBe(before.certificate)
    expect(after.authority).toBe(before.authority)
    expect(new X509Certificate(after.certificate).verify(new X509Certificate(after.authority).publicKey)).toBe(true)
  })

  it('is recreated when its files are damaged', async () => {
    const before = await ensure()
    await writeFile(join(directory, 'server.crt'), 'nothing')
    expect((await ensure()).certificate).not.toBe(before.certificate)
  })

  it('is not recreated when its files are unreadable', async () => {
    await ensure()
    await rm(join(directory, 'ca.key'))
    await symlink('ca.key', join(directory, 'ca.key'))
    await expect(ensure()).rejects.toThrow('ELOOP')
  })

  it('keeps private keys from other users', async () => {
    await ensure()
    for (const name of ['ca.key', 'server.key']) {
      expect((await stat(join(directory, name))).mode & 0o777).toBe(0o600)
    }
  })
})

describe('the authority of a server', () => {
  const place = (nowMs = start + 1) => ({ directory, clock: { now: () => nowMs }, random: systemRandom })
  const pems = (text: string) => text.split(/(?<=-----END CERTIFICATE-----\n)/).filter((pem) => pem !== '')
  const parsed = (text: string) => pems(text).map((pem) => new X509Certificate(pem))

  it('is replaced in its last year by a new one, which it cross-signs', async () => {
    const before = await ensure()
    const after = await ensure([], start + 3_400 * day)
    const [root] = parsed(before.authority)
    const [server, vouching] = parsed(after.certificate)
    const [next, last] = parsed(after.authority)
    expect(last?.raw).toEqual(root?.raw)
    expect(server?.checkIssued(next ?? server)).toBe(true)
    expect(root && vouching?.checkIssued(root)).toBe(true)
    expect(root && vouching?.verify(root.publicKey)).toBe(true)
    expect(vouching?.publicKey.equals(next?.publicKey ?? vouching.publicKey)).toBe(true)
    expect(vouching?.validTo).toBe(root?.validTo)
  })

  it('is dropped with its predecessors when its overlap ends', async () => {
    await ensure()
    await replaceAuthority(place())
    await replaceAuthority(place(start + 2), day)
    expect(parsed((await ensure()).certificate)).toHaveLength(3)
    expect(parsed((await ensure()).authority)).toHaveLength(3)
    const after = await ensure([], start + 2 * day)
    expect([parsed(after.certificate).length, parsed(after.authority).length]).toEqual([1, 1])
  })

  it('is valid, like the certificate, when the clock, which was ahead by hours, is corrected', async () => {
    const { certificate, authority } = await ensure([], start + 14 * 3_600_000)
    const shown = [certificate, authority].map((pem) => new X509Certificate(pem))
    for (const { validFrom } of shown) expect(Date.parse(validFrom)).toBeLessThanOrEqual(start)
    expect(shown.map(madeAtMs).at(-1)).toBe(start + 14 * 3_600_000)
    expect((await ensure([], start)).certificate).toBe(certificate)
  })

  it('is complete after a crash during its replacement', async () => {
    await ensure()
    const [key, certificate] = [join(directory, 'ca.key'), join(directory, 'ca.crt')]
    const before = await readFile(certificate, 'utf8')
    await replaceAuthority(place())
    const after = await readFile(certificate, 'utf8')
    await rename(certificate, `${certificate}.new`)
    await writeFile(certificate, before)
    expect((await stat(key)).isFile()).toBe(true)
    expect(pems((await ensure()).authority)[0]).toBe(pems(after)[0])
    expect(await readFile(certificate, 'utf8')).toBe(after)
  })
})
