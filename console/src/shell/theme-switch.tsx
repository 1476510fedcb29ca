import { useState } from 'react'
import { Button } from '../parts/button.tsx'
import { MoonIcon, SunIcon } from '../parts/icons.tsx'
import { chooseTheme, isDark } from './theme.ts'

export function ThemeSwitch() {
  const [dark, setDark] = useState(isDark)
  const change = () => {
    chooseTheme(dark ? 'light' : 'dark')
    setDark(!dark)
  }
  return (
    <Button tone="quiet" square onClick={change} aria-label={dark ? 'Use light colors' : 'Use dark colors'}>
      {dark ? <SunIcon /> : <MoonIcon />}
    </Button>
  )
}
