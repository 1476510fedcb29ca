import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noBrowser, openBrowser, signIn, visit } from './support/browser.ts'
import { type RunningConsole, startConsole } from './support/running-console.ts'

describe.skipIf(noBrowser !== undefined)('a form that is half filled in when the session ends', () => {
  let platform: RunningConsole
  let browser: Browser

  beforeAll(async () => {
    ;[platform, browser] = await Promise.all([startConsole({ withDemo: false }), openBrowser()])
    await platform.must('POST', `${platform.management}/users`, { metadata: { name: 'ada' } })
  })

  afterAll(async () => {
    await browser?.close()
    await platform?.stop()
  })

  const keyOf = async (user: string, name: string): Promise<string> => {
    const body = { metadata: { name }, spec: { user } }
    return (await platform.must('POST', `${platform.management}/ownedaccesskeys`, body)).spec.key
  }

  /** The session of an administrator ends while two fields are filled in. */
  const interrupted = async (key: string) => {
    const visitor = await visit(browser)
    const { page } = visitor
    await signIn(visitor, platform.url, await keyOf('admin', key), '/users')
    await page.getByRole('button', { name: 'Create user' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name', { exact: true }).fill('grace')
    await dialog.getByLabel('Display name').fill('Grace Hopper')
    await platform.must('DELETE', `${platform.management}/ownedaccesskeys/${key}`)
    await page.getByText('Your session has ended.').waitFor()
    const signInAgain = async (value: string) => {
      await page.getByLabel('Access key').fill(value)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('heading', { name: 'Users', includeHidden: true }).waitFor({ state: 'attached' })
    }
    return { ...visitor, dialog, signInAgain }
  }

  it('is there again when the same user signs in, and gone once it is closed', async () => {
    const { page, dialog, signInAgain, leave } = await interrupted('first')
    await signInAgain(platform.adminKey)
    await expect.poll(() => dialog.getByLabel('Display name').inputValue()).toBe('Grace Hopper')
    expect(await dialog.getByLabel('Name', { exact: true }).inputValue()).toBe('grace')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Create user' }).click()
    expect(await dialog.getByLabel('Display name').inputValue()).toBe('')
    await leave()
  })

  it('is not there when another user signs in, nor afterwards', async () => {
    const { page, dialog, signInAgain, leave } = await interrupted('second')
    const value = await keyOf('ada', 'of-ada')
    await signInAgain(value)
    await page.getByRole('link', { name: 'ada' }).waitFor()
    expect(await dialog.count()).toBe(0)
    await platform.must('DELETE', `${platform.management}/ownedaccesskeys/of-ada`)
    await page.getByText('Your session has ended.').waitFor()
    await signInAgain(platform.adminKey)
    await page.getByRole('button', { name: 'Create user' }).click()
    expect(await dialog.getByLabel('Display name').inputValue()).toBe('')
    await leave()
  })
})
