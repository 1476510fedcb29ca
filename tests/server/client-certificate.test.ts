import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../support/api-server.ts'
import { type CertificateFiles, makeCertificates } from '../support/certificates.ts'

let directory = ''
let trusted: CertificateFiles
let stranger: CertificateFiles
let server: TestServer

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'client-certificates-'))
  trusted = await makeCertificates(directory, 'carol')
  stranger = await makeCertificates(directory, 'mallory')
  server = await startTestServer({
    tls: {
      cert: await readFile(trusted.certFile, 'utf8'),
      key: await readFile(trusted.keyFile, 'utf8'),
      clientCa: await readFile(trusted.caFile, 'utf8'),
    },
  })
})
afterAll(async () => {
  await server.stop()
  await rm(directory, { recursive: true })
})

async function whoAmI(files: CertificateFiles | undefined, headers: Record<string, string> = {}): Promise<string> {
  const identity =
    files === undefined ? {} : { cert: await readFile(files.certFile), key: await readFile(files.keyFile) }
  const body = await new Promise<string>((resolve, reject) => {
    request(
      `${server.url}/api/v1/nodes`,
      { ...identity, headers, rejectUnauthorized: false, agent: false },
      (response) => resolve(text(response)),
    )
      .on('error', reject)
      .end()
  })
  return /User \\"([^"\\]*)/.exec(body)?.[1] ?? body
}

it('a certificate of the configured authority says who the client is', async () => {
  expect(await whoAmI(trusted)).toBe('carol')
})

it('a client with no certificate, or one of another authority, is anonymous', async () => {
  expect(await whoAmI(undefined)).toBe('system:anonymous')
  expect(await whoAmI(stranger)).toBe('system:anonymous')
})

it('a certificate counts more than a token, as on kube-apiserver', async () => {
  expect(await whoAmI(trusted, { authorization: 'Bearer alice-token' })).toBe('carol')
  expect(await whoAmI(stranger, { authorization: 'Bearer alice-token' })).toBe('alice')
})
