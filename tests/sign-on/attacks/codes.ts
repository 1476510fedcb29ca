import { describe, expect, it } from 'vitest'
import { keysPath, management, userNamed } from '../../platform/platform.ts'
import { commandAddress, verifier } from '../support/browser.ts'
import { codeOf, loginPath, type Stage } from '../support/stage.ts'

export function stolenCodes(stage: () => Stage): void {
  describe('a code of the platform', () => {
    it('is useless to a client that did not start the sign-in (login CSRF, session fixation)', async () => {
      const callback = await stage().browser().signIn(loginPath('corp'))
      const victim = stage().browser()
      const answer = await victim.post('/auth/session', { code: codeOf(callback), verifier: 'x'.repeat(43) })
      expect({ status: answer.status, cookies: victim.cookies.size }).toEqual({ status: 401, cookies: 0 })
      const afterwards = await victim.post('/auth/session', { code: codeOf(callback), verifier })
      expect(afterwards.status).toBe(401)
    })

    it('is invalid when another user has the name meanwhile', async () => {
      stage().issuer.script = { claims: { sub: 'replaced', preferred_username: 'rose' } }
      const codes = [
        await stage().browser().signIn(loginPath('corp')),
        await stage().browser().signIn(loginPath('corp')),
      ]
      await stage().platform.must('DELETE', `${management}/users/rose`)
      const [first, second] = codes.map(codeOf)
      expect((await stage().browser().post('/auth/session', { code: first, verifier })).status).toBe(401)
      await stage().platform.must('POST', `${management}/users`, userNamed('rose'))
      expect((await stage().browser().post('/auth/session', { code: second, verifier })).status).toBe(401)
    })

    it('of a page is not valid for a command', async () => {
      const callback = await stage().browser().signIn(loginPath('corp'))
      expect(
        (
          await stage()
            .browser()
            .post('/auth/token', { code: codeOf(callback), verifier })
        ).status,
      ).toBe(401)
    })

    it('is not accepted from a page of another site', async () => {
      const callback = await stage().browser().signIn(loginPath('corp'))
      const body = { code: codeOf(callback), verifier }
      for (const path of ['/auth/session', '/auth/token']) {
        const answer = await stage()
          .browser()
          .post(path, body, { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' })
        expect(answer.status).toBe(403)
      }
    })

    it('starts a new session: an existing one is not taken over, and ends (session fixation)', async () => {
      const before = await stage().signIn('corp')
      const planted = before.browser.cookies.get('__Host-tenant-session')
      const callback = await before.browser.signIn(loginPath('corp'))
      await before.browser.post('/auth/session', { code: codeOf(callback), verifier }, before.headers)
      expect(before.browser.cookies.get('__Host-tenant-session')).not.toBe(planted)
      const cookie = `__Host-tenant-session=${planted}`
      const answer = await stage()
        .browser()
        .visit('/api/v1/namespaces', { cookie, ...before.headers })
      expect(answer.status).toBe(401)
    })

    it.each(['', 'x', 'é', '/', '../codes/', '\0', 'a'.repeat(5_000)])('that is %j is refused', async (code) => {
      expect((await stage().browser().post('/auth/session', { code, verifier })).status).toBe(401)
    })
  })

  describe('the key of a command that a user has signed in with', () => {
    it.each([
      ['endless', { ttl: 0 }],
      ['longer', { ttl: 90 * 24 * 3600 }],
      ['counted from its last use', { ttlAfterLastActivity: true }],
      ['exempt from signing out everywhere', { type: 'User' }],
    ])('cannot be made %s by its holder', async (_name, spec) => {
      const callback = await stage().browser().signIn(loginPath('corp', '&port=50123&state=0123456789abcdef'))
      const code = new URL(commandAddress(callback)).searchParams.get('code')
      const { accessKey: token, keyName } = JSON.parse(
        (await stage().browser().post('/auth/token', { code, verifier })).text,
      )
      const patch = (body: object) =>
        stage().platform.ask('PATCH', `${keysPath}/${keyName}`, { token, body, type: 'application/merge-patch+json' })
      expect(await patch({ spec })).toMatchObject({ status: 422 })
      expect(await patch({ spec: { displayName: 'My laptop' } })).toMatchObject({ status: 200 })
      expect(await patch({ spec: { disabled: true } })).toMatchObject({ status: 200 })
    })
  })

  describe('signing out', () => {
    it('cannot be caused by a page of another site (logout CSRF)', async () => {
      const { browser, headers } = await stage().signIn('corp')
      const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ')
      const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
      const answer = await stage().platform.ask('DELETE', '/auth/session', {
        token: '',
        headers: { cookie, ...headers, ...foreign },
      })
      expect(answer.status).toBe(403)
      expect((await browser.visit('/auth/session', headers)).text).toContain('"user"')
    })
  })
}
