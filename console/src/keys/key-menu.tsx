import { useState } from 'react'
import type { AccessKey } from '../api/objects.ts'
import { nameOf } from '../api/objects.ts'
import { Button } from '../parts/button.tsx'
import { MoreIcon } from '../parts/icons.tsx'
import { Menu, MenuItem, MenuLine } from '../parts/menu.tsx'
import type { KeyTask } from './key-task.ts'

interface KeyMenuProps {
  readonly accessKey: AccessKey
  readonly onTask: (task: KeyTask) => void
}

/** Every row has a menu, so it is rendered only when the user opens it. */
export function KeyMenu({ accessKey, onTask }: KeyMenuProps) {
  const [isWanted, setIsWanted] = useState(false)
  const isDisabled = accessKey.spec?.disabled === true
  const name = accessKey.spec?.displayName || nameOf(accessKey)
  const label = `Actions for ${name}`
  if (!isWanted)
    return (
      <Button tone="quiet" square aria-label={label} aria-haspopup="menu" onClick={() => setIsWanted(true)}>
        <MoreIcon />
      </Button>
    )
  return (
    <Menu
      isOpenAtFirst
      trigger={
        <Button tone="quiet" square aria-label={label}>
          <MoreIcon />
        </Button>
      }
    >
      <MenuItem onSelect={() => onTask({ type: isDisabled ? 'enable' : 'disable', key: accessKey })}>
        {isDisabled ? 'Enable' : 'Disable'}
      </MenuItem>
      <MenuItem onSelect={() => onTask({ type: 'rotate', key: accessKey })}>Rotate…</MenuItem>
      <MenuLine />
      <MenuItem isDangerous onSelect={() => onTask({ type: 'delete', key: accessKey })}>
        Delete…
      </MenuItem>
    </Menu>
  )
}
