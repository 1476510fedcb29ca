import { describe, expect, it } from 'vitest'
import { challenge } from '../support/browser.ts'
import { loginPath, type Stage } from '../support/stage.ts'

export function destinations(stage: () => Stage): void {
  describe('the destination of a sign-in', () => {
    it.each([
      '//evil.example',
      '/\\evil.example',
      '\\\\evil.example',
      'https://evil.example',
      'javascript:alert(1)',
      '/a#sign-on=planted',
      '/\t/evil.example',
      '/a\r\nSet-Cookie: a=b',
      '',
      `/${'a'.repeat(2_000)}`,
    ])('is the start page instead of %j (open redirect)', async (path) => {
      const callback = await stage()
        .browser()
        .signIn(loginPath('corp', `&return=${encodeURIComponent(path)}`))
      expect(callback.location).toMatch(/^\/#sign-on=[\w-]{43}$/)
    })

    it.each(['0', '80', '65536', '1e4', '-5000', '5000.evil.example', '5000@evil.example', ' 5000', '5000/x'])(
      'is not a listener at port %j (open redirect)',
      async (port) => {
        const path = loginPath('corp', `&port=${encodeURIComponent(port)}&state=0123456789abcdef`)
        expect(await stage().browser().visit(path, { 'sec-fetch-site': 'same-origin' })).toMatchObject({
          status: 302,
          location: '/',
        })
      },
    )

    it('is not a command that another page names without the consent of the user', async () => {
      const path = loginPath('corp', '&port=50123&state=0123456789abcdef')
      for (const site of ['cross-site', 'same-site', 'none']) {
        const { status, text } = await stage().browser().visit(path, { 'sec-fetch-site': site })
        expect({ status, text }).toMatchObject({
          status: 200,
          text: expect.stringContaining('Continue only if you have just run'),
        })
      }
    })

    it('is not a command of a sign-in that was begun elsewhere, whose cookie another page has planted', async () => {
      const [attacker, victim] = [stage().browser(), stage().browser()]
      const path = loginPath('corp', '&port=50123&state=0123456789abcdef')
      const sent = await attacker.visit(path, { 'sec-fetch-site': 'same-origin' })
      for (const [name, value] of attacker.cookies) victim.cookies.set(name, value)
      const back = await victim.visit(sent.location)
      const { status, location, text } = await victim.visit(back.location, { 'sec-fetch-site': 'cross-site' })
      expect({ status, location }).toEqual({ status: 200, location: '' })
      expect(text).toContain('Go on only if you have just run')
    })

    it('does not exist without the challenge of the client that started', async () => {
      for (const bad of ['', 'short', `${challenge}=`, '"'.repeat(43)]) {
        const path = `/auth/login?connector=corp&challenge=${encodeURIComponent(bad)}`
        expect(await stage().browser().visit(path)).toMatchObject({ status: 302, location: '/' })
      }
    })
  })

  describe('paths of sign-on', () => {
    it.each([
      '/auth/callback/',
      '/auth/callback/corp/twin',
      '/auth/callback/..%2fcorp',
      '/auth/callback/corp%2f..%2ftwin',
      '/auth/callback/CORP',
      '/auth/callback/corp%00',
      '/auth/callback/__proto__',
    ])('%s leads to no connector (path confusion)', async (path) => {
      const browser = stage().browser()
      const sent = await browser.visit(loginPath('corp'))
      const back = new URL((await browser.visit(sent.location)).location)
      const answer = await browser.visit(`${path}${back.search}`)
      expect(answer.status).toBeGreaterThanOrEqual(400)
      expect(answer.location).toBe('')
    })

    it.each(['POST', 'PUT', 'DELETE'])('refuse %s', async (method) => {
      for (const path of [loginPath('corp'), '/auth/callback/corp', '/auth/connectors']) {
        expect((await stage().platform.ask(method, path, { token: '' })).status).toBe(405)
      }
    })

    it('show nothing of their input', async () => {
      const answer = await stage().browser().visit(`/auth/callback/corp?state=%3Cscript%3E&error=%3Cscript%3E`)
      expect(answer.text).not.toContain('<script')
    })
  })
}
