import { CopyButton } from './copy-button.tsx'

interface CodeBlockProps {
  readonly text: string
  readonly label: string
  readonly canCopy?: boolean
}

export function CodeBlock({ text, label, canCopy = true }: CodeBlockProps) {
  return (
    <div className="relative min-w-0 rounded-md border border-line bg-raised">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard */}
      {/* biome-ignore lint/a11y/useSemanticElements: preformatted text with a name of its own */}
      <pre className="max-h-80 overflow-auto p-3 pr-24 leading-relaxed" tabIndex={0} role="region" aria-label={label}>
        {text}
      </pre>
      {canCopy && (
        <div className="absolute top-1.5 right-1.5">
          <CopyButton text={text} />
        </div>
      )}
    </div>
  )
}
