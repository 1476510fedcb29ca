import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noBrowser, openBrowser, signIn, type Visitor, visit } from './support/browser.ts'
import { replaceText } from './support/editing.ts'
import { type RunningConsole, startConsole } from './support/running-console.ts'

describe.skipIf(noBrowser !== undefined)('the way back in the console', () => {
  let platform: RunningConsole
  let browser: Browser
  let visitor: Visitor

  beforeAll(async () => {
    ;[platform, browser] = await Promise.all([startConsole({ withDemo: false }), openBrowser()])
    for (const name of ['ada', 'grace'])
      await platform.must('POST', `${platform.management}/users`, { metadata: { name }, spec: { displayName: name } })
    visitor = await visit(browser)
    await signIn(visitor, platform.url, platform.adminKey)
  })

  afterAll(async () => {
    await browser?.close()
    await platform?.stop()
  })

  it('leads to the text that was not saved, from another tab and another page', async () => {
    const { page } = visitor
    await page.goto(`${platform.url}/users/ada?tab=yaml`)
    await replaceText(page, 'User ada', 'displayName: ada', 'displayName: Countess')
    const text = page.getByRole('textbox', { name: 'User ada' }).getByText('displayName: Countess')
    await page.getByRole('tab', { name: 'Overview' }).click()
    await page.getByRole('tab', { name: 'YAML' }).click()
    await text.waitFor()
    await page.getByRole('link', { name: 'Teams' }).click()
    await page.getByRole('heading', { name: 'Teams' }).waitFor()
    await page.goBack()
    await text.waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Countess' }).waitFor()
    await page.getByRole('tab', { name: 'Overview' }).click()
    await page.getByRole('tab', { name: 'YAML' }).click()
    await text.waitFor()
    expect(await page.getByRole('button', { name: 'Discard' }).isDisabled()).toBe(true)
  })

  it('leads to no text of a user who has signed out', async () => {
    const { page } = visitor
    await page.goto(`${platform.url}/users/ada?tab=yaml`)
    await replaceText(page, 'User ada', 'displayName: Countess', 'displayName: forgotten')
    await page.getByRole('button', { name: 'admin', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByLabel('Access key').fill(platform.adminKey)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('textbox', { name: 'User ada' }).getByText('displayName: Countess').waitFor()
  })

  it('leads to the search of a list, and a link to the whole list', async () => {
    const { page } = visitor
    await page.goto(`${platform.url}/users`)
    const search = page.getByLabel('Search Users')
    await search.fill('gra')
    await page.getByRole('link', { name: 'grace' }).click()
    await page.getByRole('heading', { name: 'grace' }).waitFor()
    await page.goBack()
    await expect.poll(() => search.inputValue()).toBe('gra')
    await expect.poll(() => page.getByRole('link', { name: 'Countess' }).count()).toBe(0)
    await page.getByRole('link', { name: 'grace' }).click()
    await page.getByRole('heading', { name: 'grace' }).waitFor()
    await page.getByRole('link', { name: 'Users' }).click()
    await page.getByRole('link', { name: 'Countess' }).waitFor()
    expect(await search.inputValue()).toBe('')
  })

  it('leads to the filters of the access keys, from the sessions and from a key', async () => {
    const { page } = visitor
    await page.goto(`${platform.url}/keys`)
    await page.getByLabel('Life').selectOption('Without an end')
    await page.getByRole('tab', { name: 'Sessions' }).click()
    await page.getByRole('tab', { name: 'Keys' }).click()
    expect(await page.getByLabel('Life').inputValue()).toBe('unlimited')
    await page.getByRole('link', { name: 'First administrator' }).click()
    await page.getByRole('heading', { name: 'First administrator' }).waitFor()
    await page.goBack()
    await expect.poll(() => page.getByLabel('Life').inputValue()).toBe('unlimited')
  })
})
