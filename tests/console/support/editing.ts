import type { Page } from 'playwright-core'

/** Changes a part of the text in an editor like a user: selects everything and types it again. */
export async function replaceText(page: Page, editor: string, from: string, to: string): Promise<void> {
  const box = page.getByRole('textbox', { name: editor, exact: true })
  await box.getByText(from).first().waitFor()
  const lines = await box.locator('.cm-line').allTextContents()
  await typeText(page, editor, lines.join('\n').replace(from, to))
}

export async function typeText(page: Page, editor: string, text: string): Promise<void> {
  await page.getByRole('textbox', { name: editor, exact: true }).click()
  await page.keyboard.press('Control+A')
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`)
  await page.keyboard.press('Control+V')
}
