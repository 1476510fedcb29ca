import { expect } from 'vitest'
import { challenge, verifier } from './browser.ts'
import type { Stage } from './stage.ts'

interface BegunDevice {
  readonly userCode: string
  readonly expiresInSeconds: number
  readonly pollSeconds: number
}

/** The data that the button of the last page sends. */
export const confirmed = { confirmed: 'yes' }

/** Actions of commands on machines without a browser, and of their users. */
export function devicesOf(stage: () => Stage) {
  /** Requests a code like a command. */
  async function begin(machine = 'jane on builder', of = challenge): Promise<BegunDevice> {
    const query = new URLSearchParams({ challenge: of, machine })
    const { status, text } = await stage().platform.ask('POST', `/auth/device?${query}`, { token: '' })
    expect(status, text).toBe(200)
    return JSON.parse(text)
  }

  const poll = (code: string, shown = verifier) =>
    stage().platform.ask('POST', '/auth/token', { token: '', body: { code, verifier: shown } })

  /** A browser whose user has signed in, and is asked for the code. */
  async function atCodePage() {
    const browser = stage().browser()
    const links = (await browser.visit('/auth/device')).text
    const page = await browser.signIn((/href="(\/auth\/login[^"]+)"/.exec(links)?.[1] ?? '').replaceAll('&#38;', '&'))
    expect(page, page.text).toMatchObject({ status: 200, text: expect.stringContaining('You have signed in as') })
    return { browser, page }
  }

  async function letIn(code: string) {
    const { browser, page } = await atCodePage()
    return browser.submit(await browser.submit(page, { code }), confirmed)
  }

  return { begin, poll, atCodePage, letIn }
}
