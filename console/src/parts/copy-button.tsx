import { useState } from 'react'
import { Button } from './button.tsx'
import { CheckIcon, CopyIcon } from './icons.tsx'

const shownForMs = 2000

interface CopyButtonProps {
  readonly text: string
  readonly label?: string
  /** Shows only an icon, if space is short. */
  readonly isCompact?: boolean
}

export function CopyButton({ text, label = 'Copy', isCompact = false }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<'copied' | 'failed'>()
  const copy = () => {
    navigator.clipboard
      .writeText(text)
      .then(
        () => setOutcome('copied'),
        () => setOutcome('failed'),
      )
      .finally(() => setTimeout(() => setOutcome(undefined), shownForMs))
  }
  return (
    <Button onClick={copy} square={isCompact} title={label}>
      {outcome === 'copied' ? <CheckIcon /> : <CopyIcon />}
      <span aria-live="polite" className={isCompact ? 'sr-only' : ''}>
        {outcome === undefined ? label : outcome === 'copied' ? 'Copied' : 'Select and copy by hand'}
      </span>
    </Button>
  )
}
