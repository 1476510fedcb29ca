import { Agent, fetch as undiciFetch } from 'undici'
import { describe, expect, it, onTestFinished } from 'vitest'
import { management } from '../../platform/platform.ts'
import { eventually } from '../../support/eventually.ts'
import type { ProviderStage } from './stage.ts'

export function settingUp(stage: () => ProviderStage): void {
  describe('applications are configured', () => {
    const create = (spec: object, token?: string) =>
      stage().platform.ask('POST', `${management}/oidcclients`, {
        ...(token === undefined ? {} : { token }),
        body: { metadata: { generateName: 'x-' }, spec },
      })

    it.each([
      ['no address', {}],
      ['a wildcard', { redirectUris: ['https://*.example/'] }],
      ['a fragment', { redirectUris: ['https://a.example/#x'] }],
      ['plain HTTP', { redirectUris: ['http://a.example/'] }],
      ['another spelling', { redirectUris: ['https://a.example/x/../y'] }],
      ['a user in it', { redirectUris: ['https://u:p@a.example/'] }],
      ['a public client without PKCE', { redirectUris: ['https://a.example/'], allowWithoutPkce: true }],
      ['an unknown scope', { redirectUris: ['https://a.example/'], scopes: ['admin'] }],
    ])('not with %s', async (_, spec) => {
      expect((await create(spec)).status).toBe(422)
    })

    it('only by callers who may impersonate every user and group', async () => {
      const spec = { redirectUris: ['https://a.example/'] }
      expect((await create(spec, await stage().platform.keyOf('ann'))).status).toBe(403)
    })
  })

  it('programs that call too often get a JSON error with Retry-After', async () => {
    const flood = new Agent({
      connect: { ca: stage().platform.server.authority },
      localAddress: '127.0.0.9',
      connections: 4,
    })
    onTestFinished(() => flood.close())
    const ask = async () => {
      const answer = await undiciFetch(`${stage().issuer}/keys`, { dispatcher: flood })
      return { status: answer.status, retryAfter: answer.headers.get('retry-after'), body: await answer.json() }
    }
    // The allowance refills meanwhile: a busy machine needs more requests.
    let refused: Awaited<ReturnType<typeof ask>> | undefined
    await eventually(async () => {
      const answers = await Promise.all(Array.from({ length: 500 }, ask))
      refused = answers.find(({ status }) => status !== 200)
      expect(refused).toBeDefined()
    })
    expect(refused).toMatchObject({ status: 429, retryAfter: '1', body: { error: 'temporarily_unavailable' } })
    expect((await stage().ownFetch(`${stage().issuer}/keys`, {})).status).toBe(200)
  })
}
