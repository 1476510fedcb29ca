export type Theme = 'light' | 'dark'

const storageKey = 'tenant-theme'

/** Undefined: the system's setting. Browsers that are configured to store nothing refuse access. */
export function storedTheme(): Theme | undefined {
  try {
    const stored = localStorage.getItem(storageKey)
    return stored === 'light' || stored === 'dark' ? stored : undefined
  } catch {
    return undefined
  }
}

export function applyTheme(theme: Theme | undefined): void {
  if (theme === undefined) delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

export function chooseTheme(theme: Theme): void {
  try {
    localStorage.setItem(storageKey, theme)
  } catch {
    // It lasts until the page is left.
  }
  applyTheme(theme)
}

/** The current theme, chosen by the user or by the system. */
export function isDark(): boolean {
  const theme = storedTheme()
  return theme === undefined ? window.matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark'
}
