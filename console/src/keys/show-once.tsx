import { useMemo } from 'react'
import { type AccessKey, nameOf } from '../api/objects.ts'
import { Button } from '../parts/button.tsx'
import { CodeBlock } from '../parts/code-block.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { download } from './download.ts'
import { keyCommands, secretManifest } from './key-commands.ts'

interface ShowOnceProps {
  readonly accessKey: AccessKey
  readonly verb: 'created' | 'rotated'
  readonly onClose: () => void
}

/** The only place that ever shows the value of a key. It is gone when this is closed. */
export function ShowOnce({ accessKey, verb, onClose }: ShowOnceProps) {
  const value = accessKey.spec?.key ?? ''
  const displayName = accessKey.spec?.displayName || nameOf(accessKey)
  const commands = useMemo(() => keyCommands(window.location.origin, value), [value])
  return (
    <Dialog
      title={verb === 'created' ? 'Your new access key' : 'The new value of your key'}
      description="Copy it now: it is shown this one time, and the platform keeps only a hash of it."
      isOpen
      isWide
      isSticky
      onClose={onClose}
      footer={
        <Button tone="primary" onClick={onClose}>
          I have stored it
        </Button>
      }
    >
      <div className="grid min-w-0 gap-4">
        <p>
          <strong>{displayName}</strong> was {verb} as <code>{nameOf(accessKey)}</code>.
        </p>
        <div className="flex min-w-0 flex-wrap items-center gap-2 rounded-md border border-accent/40 bg-accent-soft p-3">
          <code data-testid="key-value" className="min-w-0 flex-1 text-sm break-all select-all">
            {value}
          </code>
          <CopyButton text={value} label="Copy key" />
          <Button onClick={() => download('tenant-platform-api-key.yaml', secretManifest(window.location.host, value))}>
            Download Secret
          </Button>
        </div>
        <Tabs
          label="Ready-made commands"
          tabs={commands.map(({ id, label, text }) => ({
            id,
            label,
            content: <CodeBlock label={label} text={text} />,
          }))}
        />
      </div>
    </Dialog>
  )
}
