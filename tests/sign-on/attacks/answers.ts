import { describe, expect, it } from 'vitest'
import { management } from '../../platform/platform.ts'
import type { Script } from '../support/scripted-issuer.ts'
import { loginPath, type Stage } from '../support/stage.ts'
import { over, refused, untrusted } from './refusals.ts'

export function forgedAnswers(stage: () => Stage): void {
  describe('a callback is refused', () => {
    const changed = (change: (right: URLSearchParams) => void): NonNullable<Script['answer']> => {
      return (right) => {
        change(right)
        return right
      }
    }
    const answers: Readonly<Record<string, NonNullable<Script['answer']>>> = {
      'without a state': changed((right) => right.delete('state')),
      'with the state twice': changed((right) => right.append('state', 'another')),
      'of another issuer (mix-up)': changed((right) => right.set('iss', 'https://evil.example')),
      'of no issuer, from one that names itself (mix-up)': changed((right) => right.delete('iss')),
      'without a code': changed((right) => right.delete('code')),
      'with the code twice': changed((right) => right.append('code', 'another')),
    }

    it.each(Object.entries(answers))('%s', async (_name, answer) => {
      stage().issuer.script = { answer }
      const { callback, session } = await stage().signIn('corp')
      expect(callback).toMatchObject(untrusted)
      expect(session.status).toBe(401)
    })

    it('with another state, like that of a sign-in in another tab', async () => {
      stage().issuer.script = { answer: changed((right) => right.set('state', 'another')) }
      const { callback, session } = await stage().signIn('corp')
      expect(callback).toMatchObject(over)
      expect(session.status).toBe(401)
    })

    it('with a code of another sign-in: PKCE ties it to the browser that began (code injection)', async () => {
      const attacker = stage().browser()
      const sent = await attacker.visit(loginPath('corp'))
      const stolen = new URL((await attacker.visit(sent.location)).location).searchParams.get('code') ?? ''
      stage().issuer.script = { answer: changed((right) => right.set('code', stolen)) }
      expect((await stage().signIn('corp')).callback).toMatchObject(refused)
    })

    it('that returns through the callback of another connector (mix-up)', async () => {
      const browser = stage().browser()
      const sent = await browser.visit(loginPath('corp'))
      const back = new URL((await browser.visit(sent.location)).location)
      back.pathname = '/auth/callback/twin'
      expect(await browser.visit(back.href)).toMatchObject(untrusted)
    })

    it('that comes a second time (replay)', async () => {
      const browser = stage().browser()
      const sent = await browser.visit(loginPath('corp'))
      const cookies = new Map(browser.cookies)
      const back = await browser.visit(sent.location)
      expect((await browser.visit(back.location)).status).toBe(302)
      expect(await browser.visit(back.location)).toMatchObject(over)
      for (const [name, value] of cookies) browser.cookies.set(name, value)
      expect(await browser.visit(back.location)).toMatchObject(refused)
    })

    it('that a browser did not start (login CSRF)', async () => {
      const attacker = stage().browser()
      const sent = await attacker.visit(loginPath('corp'))
      const back = await attacker.visit(sent.location)
      expect(await stage().browser().visit(back.location)).toMatchObject(over)
    })

    it('with a forged, changed or duplicate cookie', async () => {
      const browser = stage().browser()
      const sent = await browser.visit(loginPath('corp'))
      const back = await browser.visit(sent.location)
      const [[name, sealed] = ['', '']] = browser.cookies
      const middle = Math.floor(sealed.length / 2)
      const flipped = `${sealed.slice(0, middle)}${sealed[middle] === 'A' ? 'B' : 'A'}${sealed.slice(middle + 1)}`
      for (const cookie of [`${name}=made-up`, `${name}=${flipped}`, `${name}=${sealed}; ${name}=${sealed}`]) {
        browser.cookies.clear()
        expect(await browser.visit(back.location, { cookie })).toMatchObject(over)
      }
    })

    it('of a connector that was recreated under its name meanwhile', async () => {
      await stage().connect('brief')
      const browser = stage().browser()
      const sent = await browser.visit(loginPath('brief'))
      const back = await browser.visit(sent.location)
      await stage().platform.must('DELETE', `${management}/connectors/brief`)
      await stage().connect('brief')
      expect(await browser.visit(back.location)).toMatchObject(untrusted)
    })
  })
}
