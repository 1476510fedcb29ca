import { CopyButton } from './copy-button.tsx'

interface CodeBlockProps {
  readonly text: string
  readonly label: string
}

export function CodeBlock({ text, label }: CodeBlockProps) {
  return (
    <div className="flex min-w-0 items-start rounded-md border border-line bg-raised">
      {/* biome-ignore lint/a11y/useSemanticElements: labeled preformatted text */}
      <pre
        className="max-h-80 min-w-0 flex-1 overflow-auto p-3 leading-relaxed"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
        tabIndex={0}
        role="region"
        aria-label={label}
      >
        {text}
      </pre>
      <div className="shrink-0 p-1.5">
        <CopyButton text={text} isCompact />
      </div>
    </div>
  )
}
