import { describe, expect, it } from 'vitest'
import { signIn } from '../../platform/browser-client.ts'
import { management } from '../../platform/platform.ts'
import { type Application, type Begun, had, mergePatch, type ProviderStage, sealedIn } from './stage.ts'

export function deciding(stage: () => ProviderStage): void {
  describe('the user decides', () => {
    it('and sees which application requests what, and may refuse', async () => {
      const { url, state } = await stage().begin('grafana')
      const request = sealedIn((await stage().visit(url)).location)
      expect(await stage().decide(request)).toMatchObject({ client: 'Grafana', user: 'ann', asksUser: true, code: 201 })
      const denied = new URL((await stage().decide(request, 'deny')).location)
      expect(Object.fromEntries(denied.searchParams)).toEqual({ error: 'access_denied', state, iss: stage().issuer })
    })

    it('and no page of another site can decide, nor half a session, nor a key', async () => {
      const request = sealedIn((await stage().visit((await stage().begin('grafana')).url)).location)
      const other = { ...stage().ann.headers, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
      expect((await stage().decide(request, 'allow', other)).code).toBe(403)
      expect((await stage().decide(request, 'allow', { cookie: had(stage().ann.headers.cookie) })).code).toBe(403)
      const key = { authorization: `Bearer ${await stage().platform.keyOf('ann')}` }
      expect(await stage().decide(request, 'allow', key)).toMatchObject({
        code: 403,
        message: expect.stringContaining('session'),
      })
    })

    it('but not with a scoped session, nor as an impersonating administrator', async () => {
      const request = sealedIn((await stage().visit((await stage().begin('grafana')).url)).location)
      const scope = { projects: [{ project: '*' }] }
      const limited = await signIn(stage().send, await stage().platform.keyOf('ann', { scope }))
      expect((await stage().decide(request, 'allow', limited.headers)).code).toBe(403)
      const admin = await signIn(stage().send, 'admin-token')
      expect((await stage().decide(request, 'allow', { ...admin.headers, 'impersonate-user': 'ann' })).code).toBe(403)
    })

    it('and a request that was not sealed here, or was changed, is refused', async () => {
      const request = sealedIn((await stage().visit((await stage().begin('board')).url)).location)
      expect((await stage().decide(`${request.slice(0, -4)}AAAA`, 'allow')).code).toBe(422)
      expect((await stage().decide('', 'allow')).code).toBe(422)
      const path = `${management}/oidcclients/board`
      await stage().platform.ask('PATCH', path, { body: { spec: { disabled: true } }, type: mergePatch })
      expect((await stage().decide(request, 'allow')).code).toBe(422)
      await stage().platform.ask('PATCH', path, { body: { spec: { disabled: false } }, type: mergePatch })
    })

    it('and only members of the teams of an application are admitted', async () => {
      const back = await stage().allowed((await stage().begin('board')).url)
      expect(back.searchParams.get('error')).toBe('access_denied')
      expect(back.searchParams.has('code')).toBe(false)
    })

    it('and an application may require a new sign-in', async () => {
      // A session is known to have begun within a second, and a sign-in of the same second counts as new.
      const second = () => Math.floor(Date.now() / 1000)
      const before = second()
      await expect.poll(second).toBeGreaterThan(before)
      for (const more of [{ prompt: 'login' }, { max_age: '0' }]) {
        const { location } = await stage().visit((await stage().begin('grafana', more)).url)
        expect(await stage().decide(sealedIn(location), 'allow')).toMatchObject({ signInAgain: true })
      }
      const { location } = await stage().visit((await stage().begin('grafana', { max_age: '3600' })).url)
      expect((await stage().decide(sealedIn(location), 'allow')).location).toContain('code=')
    })

    it('and is always asked if the application requires it', async () => {
      const { location } = await stage().visit((await stage().begin('argo-cd', { prompt: 'consent' })).url)
      expect(await stage().decide(sealedIn(location))).toMatchObject({ asksUser: true })
    })
  })

  describe('an application with prompt=none', () => {
    const silently = (id: Application, more = {}) => stage().begin(id, { prompt: 'none', ...more })
    const answerOf = async ({ url }: Begun, headers?: Readonly<Record<string, string>>) => {
      const { location } = await stage().visit(url)
      return new URL((await stage().decide(sealedIn(location), 'allow', headers)).location).searchParams
    }

    it('is refused if the user would have to decide', async () => {
      expect((await answerOf(await silently('grafana'))).get('error')).toBe('consent_required')
    })

    it('is refused if the user has another account than expected, or signed in too long ago', async () => {
      const { tokens } = await stage().signedIn('argo-cd')
      const hint = { id_token_hint: had(tokens.id_token) }
      const bob = await signIn(stage().send, await stage().platform.keyOf('bob'))
      expect((await answerOf(await silently('argo-cd', hint), bob.headers)).get('error')).toBe('login_required')
      expect((await answerOf(await silently('argo-cd', { max_age: '0' }))).get('error')).toBe('login_required')
      const { location } = await stage().visit((await stage().begin('argo-cd', hint)).url)
      expect(await stage().decide(sealedIn(location), 'allow', bob.headers)).toMatchObject({ signInAgain: true })
    })

    it('is refused at once in a frame, where the console is never shown', async () => {
      const { url, state } = await silently('argo-cd')
      const { location } = await stage().visit(url, { 'sec-fetch-dest': 'iframe' })
      const answer = Object.fromEntries(new URL(location).searchParams)
      expect(answer).toEqual({ error: 'login_required', state, iss: stage().issuer })
    })

    it('is not redirected by an unsealed request, one that needs a page, or one of a changed application', async () => {
      const refused = (request: string) =>
        stage().visit(`${stage().issuer}/not-signed-in?${new URLSearchParams({ request })}`)
      const asking = sealedIn((await stage().visit((await stage().begin('grafana')).url)).location)
      for (const request of ['', 'x', asking]) expect(await refused(request)).toEqual({ status: 400, location: '' })
      const silent = sealedIn((await stage().visit((await silently('board')).url)).location)
      const path = `${management}/oidcclients/board`
      await stage().platform.ask('PATCH', path, { body: { spec: { disabled: true } }, type: mergePatch })
      expect(await refused(silent)).toEqual({ status: 400, location: '' })
      await stage().platform.ask('PATCH', path, { body: { spec: { disabled: false } }, type: mergePatch })
    })
  })
}
