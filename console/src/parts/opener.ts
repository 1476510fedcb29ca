/** What opened a dialog: the element with the focus, or, in a menu, which closes, the button of the menu. */
export function openerOf(focused: Element | null): Element | null {
  const menu = focused?.closest('[role="menu"]')
  return menu == null ? focused : document.getElementById(menu.getAttribute('aria-labelledby') ?? '')
}

/** Users of a keyboard continue where they were, or, if the opener is gone, at the start of the page. */
export function returnFocus(opener: Element | null): void {
  const isThere = opener instanceof HTMLElement && opener.isConnected && opener !== document.body
  const target = isThere ? opener : document.getElementById('content')
  target?.focus()
}
