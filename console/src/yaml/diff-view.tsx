import { useMemo } from 'react'
import { classNames } from '../parts/class-names.ts'
import { type DiffLine, diffLines } from './diff.ts'

const signs: Readonly<Record<DiffLine['kind'], string>> = { same: ' ', removed: '-', added: '+' }
const colors: Readonly<Record<DiffLine['kind'], string>> = {
  same: '',
  removed: 'bg-bad-soft text-bad',
  added: 'bg-good-soft text-good',
}

interface DiffViewProps {
  readonly label: string
  readonly before: string
  readonly after: string
}

export function DiffView({ label, before, after }: DiffViewProps) {
  const lines = useMemo(() => diffLines(before, after), [before, after])
  return (
    // biome-ignore lint/a11y/useSemanticElements: labeled preformatted text
    <pre
      role="region"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
      tabIndex={0}
      className="max-h-[60vh] min-w-0 overflow-auto rounded-md border border-line bg-raised py-2 leading-relaxed"
    >
      {lines.map(({ kind, text }, index) => (
        <span key={index} className={classNames('block min-w-max px-3', colors[kind])}>
          {signs[kind]} {text}
        </span>
      ))}
    </pre>
  )
}
