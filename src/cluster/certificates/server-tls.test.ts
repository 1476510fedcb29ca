import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ServerTls, serverTls } from './server-tls.ts'

const directory = mkdtempSync(join(tmpdir(), 'tenant-tls-'))
const pki = (name: string) => join(directory, 'pki', name)
const broken = join(directory, 'broken.pem')
const own = { directory, name: 'server', names: [] }
let made: ServerTls

beforeAll(async () => {
  made = await serverTls(own)
  writeFileSync(broken, '-----BEGIN NOTHING-----\nsecret\n-----END NOTHING-----\n')
})
afterAll(() => rmSync(directory, { recursive: true }))

it('uses the files that it is given', async () => {
  const files = { tlsCert: pki('server.crt'), tlsKey: pki('server.key'), tlsCa: pki('ca.crt') }
  expect(await serverTls({ ...own, ...files })).toEqual(made)
})

it.each([
  [pki('server.crt'), pki('ca.key'), 'ca.key does not belong to the certificate in'],
  [broken, pki('server.key'), 'broken.pem holds no certificate that can be read'],
  [pki('server.crt'), broken, 'broken.pem holds no private key that can be read'],
  [pki('server.crt'), join(directory, 'none'), 'cannot read'],
])('refuses %s with %s', async (tlsCert, tlsKey, message) => {
  const refused = serverTls({ ...own, tlsCert, tlsKey })
  await expect(refused).rejects.toThrow(message)
  await expect(refused).rejects.not.toThrow('secret')
})
