import type { Page } from 'playwright-core'
import type { Visitor } from './browser.ts'

/** Signs in with the button of a connector; `answer` fills in the page of the provider. */
export async function signInBy(
  { page }: Visitor,
  url: string,
  label: string,
  answer: (page: Page) => Promise<void> = async () => {},
): Promise<void> {
  await page.goto(url)
  await page.getByRole('button', { name: `Sign in with ${label}`, exact: true }).click()
  await answer(page)
  await page.getByRole('navigation').waitFor()
}

/** Fills in the form for a directory. */
export function typing(username: string, password: string) {
  return async (page: Page): Promise<void> => {
    await page.getByLabel('User name').fill(username)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }
}
