import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportJWK, generateKeyPair } from 'jose'
import Provider from 'oidc-provider'
import { makeCertificates } from '../../support/certificates.ts'

export interface ForeignProvider {
  readonly url: string
  readonly authority: string
  readonly clientId: string
  readonly clientSecret: string
  stop(): Promise<void>
}

/** A provider by another author: every user may sign in, with any name. */
export async function startForeignProvider(redirectUri: string): Promise<ForeignProvider> {
  const directory = await mkdtemp(join(tmpdir(), 'tenant-provider-'))
  const { caFile, certFile, keyFile } = await makeCertificates(directory, 'provider')
  const [authority = '', cert, key] = await Promise.all(
    [caFile, certFile, keyFile].map((file) => readFile(file, 'utf8')),
  )
  const server = createServer({ cert, key })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const [clientId, clientSecret] = ['platform', 'the secret of the platform at the provider']
  const provider = new Provider(url, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), use: 'sig', alg: 'RS256' }] },
    cookies: { keys: ['a key for the cookies of the tests'] },
    claims: { openid: ['sub'], profile: ['preferred_username', 'name'], email: ['email', 'email_verified'] },
    conformIdTokenClaims: false,
    findAccount: (_context: unknown, accountId: string) => ({
      accountId,
      claims: () => ({ sub: accountId, preferred_username: accountId, name: `${accountId} of the provider` }),
    }),
  })
  server.on('request', provider.callback())
  return {
    url,
    authority,
    clientId,
    clientSecret,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await rm(directory, { recursive: true, force: true })
    },
  }
}
