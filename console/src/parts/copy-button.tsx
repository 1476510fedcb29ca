import { useState } from 'react'
import { Button } from './button.tsx'
import { CheckIcon, CopyIcon } from './icons.tsx'

const shownForMs = 2000

export function CopyButton({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }) {
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
    <Button onClick={copy}>
      {outcome === 'copied' ? <CheckIcon /> : <CopyIcon />}
      <span aria-live="polite">
        {outcome === undefined ? label : outcome === 'copied' ? 'Copied' : 'Select and copy by hand'}
      </span>
    </Button>
  )
}
