import { Link, Outlet } from '@tanstack/react-router'
import { Dialog as Radix } from 'radix-ui'
import { Suspense, useState } from 'react'
import { CloseIcon, MenuIcon } from '../parts/icons.tsx'
import { Mark } from '../parts/mark.tsx'
import { AccountMenu } from './account-menu.tsx'
import { ConnectionBanner } from './connection-banner.tsx'
import { Navigation } from './navigation.tsx'
import { ThemeSwitch } from './theme-switch.tsx'

export function Layout() {
  return (
    <div className="grid min-h-dvh grid-cols-[minmax(0,1fr)] grid-rows-[auto_1fr] lg:grid-cols-[13.5rem_minmax(0,1fr)]">
      <a href="#content" className="sr-only focus:not-sr-only focus:fixed focus:z-50 focus:bg-surface focus:p-2">
        Skip to the content
      </a>
      <header className="sticky top-0 z-30 col-span-full border-b border-line bg-surface">
        <ConnectionBanner />
        <div className="flex h-12 items-center gap-2 px-3 md:px-4">
          <NavigationDrawer />
          <Link to="/" className="flex items-center gap-2.5 rounded-md font-semibold">
            <Mark />
            <span>Tenant Platform</span>
          </Link>
          <div className="ml-auto flex min-w-0 items-center gap-1">
            <ThemeSwitch />
            <AccountMenu />
          </div>
        </div>
      </header>
      <aside className="hidden border-r border-line bg-surface lg:block">
        <div className="sticky top-12 p-3">
          <Navigation />
        </div>
      </aside>
      <main id="content" tabIndex={-1} className="min-w-0 outline-none">
        <Suspense>
          <Outlet />
        </Suspense>
      </main>
    </div>
  )
}

/** The navigation if there is no room beside the page. */
function NavigationDrawer() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Radix.Root open={isOpen} onOpenChange={setIsOpen}>
      <Radix.Trigger
        className="grid size-8 place-items-center rounded-md hover:bg-raised lg:hidden"
        aria-label="Open the navigation"
      >
        <MenuIcon />
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-black/45" />
        <Radix.Content
          aria-describedby={undefined}
          className="fixed inset-y-0 left-0 z-50 w-64 overflow-y-auto border-r border-line bg-surface p-3"
        >
          <div className="mb-3 flex items-center justify-between pl-2.5">
            <Radix.Title className="font-semibold">Tenant Platform</Radix.Title>
            <Radix.Close
              className="grid size-8 place-items-center rounded-md hover:bg-raised"
              aria-label="Close the navigation"
            >
              <CloseIcon />
            </Radix.Close>
          </div>
          <Navigation onNavigate={() => setIsOpen(false)} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
