import type { Page } from 'playwright-core'

/** Changes a part of the text in an editor like a user: selects everything and types it again. */
export async function replaceText(page: Page, editor: string, from: string, to: string): Promise<void> {
  const box = page.getByRole('textbox', { name: editor, exact: true })
  await box.getByText(from).first().waitFor()
  const lines = await box.locator('.cm-line').allTextContents()
  await typeText(page, editor, lines.join('\n').replace(from, to))
}

export async function typeText(page: Page, editor: string, text: string): Promise<void> {
  const box = page.getByRole('textbox', { name: editor, exact: true })
  await box.click()
  await page.keyboard.press('Control+A')
  // Not by way of the clipboard, which all pages of the browser share.
  await box.evaluate((element, pasted) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', pasted)
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, text)
}
