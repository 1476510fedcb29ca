import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noBrowser, openBrowser, signIn, type Visitor, visit } from './support/browser.ts'
import { type RunningConsole, startConsole } from './support/running-console.ts'

const names = Array.from({ length: 120 }, (_, index) => `user-${String(index).padStart(3, '0')}`)

describe.skipIf(noBrowser !== undefined)('a list that is longer than the page', () => {
  let platform: RunningConsole
  let browser: Browser
  let visitor: Visitor

  beforeAll(async () => {
    ;[platform, browser] = await Promise.all([startConsole({ withDemo: false }), openBrowser()])
    for (const name of names) await platform.must('POST', `${platform.management}/users`, { metadata: { name } })
    visitor = await visit(browser)
    await signIn(visitor, platform.url, platform.adminKey, '/users')
    await visitor.page.getByText(`${names.length + 1} users`).waitFor()
  })

  afterAll(async () => {
    await browser?.close()
    await platform?.stop()
  })

  const focused = () => visitor.page.evaluate<string>('document.activeElement.textContent')

  it('is walked through by keys, to its end and back', async () => {
    const { page } = visitor
    await page.getByRole('link', { name: 'user-000' }).focus()
    await page.keyboard.press('End')
    await expect.poll(focused).toBe('user-119')
    await page.keyboard.press('ArrowUp')
    await expect.poll(focused).toBe('user-118')
    await page.keyboard.press('PageUp')
    await expect.poll(focused).toMatch(/^user-1[01]\d$/)
    await page.keyboard.press('Home')
    await expect.poll(focused).not.toMatch(/^user-1/)
  })

  it('keeps the focus on a row that was scrolled out of sight', async () => {
    const { page } = visitor
    await page.getByRole('link', { name: 'user-003' }).focus()
    await page.getByRole('link', { name: 'user-003' }).evaluate((link) => {
      const scroller = link.closest('[role=table] > div')
      if (scroller !== null) scroller.scrollTop = scroller.scrollHeight
    })
    await page.getByRole('link', { name: 'user-119' }).waitFor()
    expect(await focused()).toBe('user-003')
    await page.keyboard.press('ArrowDown')
    await expect.poll(focused).toBe('user-004')
  })

  it('tells users of a screen reader how many rows a search leaves', async () => {
    const { page } = visitor
    await page.getByRole('searchbox').fill('user-11')
    await page.getByRole('status').getByText('10 of 121 shown').waitFor({ state: 'attached' })
  })
})
