import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { KeysPage } from '../keys/keys-page.tsx'
import { Layout } from '../shell/layout.tsx'
import { NotFound, PageProblem } from './not-found.tsx'

const root = createRootRoute({ component: Layout, notFoundComponent: NotFound, errorComponent: PageProblem })
const under = { getParentRoute: () => root } as const

const routes = [
  createRoute({
    ...under,
    path: '/',
    component: lazyRouteComponent(() => import('../overview/overview-page.tsx'), 'OverviewPage'),
  }),
  createRoute({ ...under, path: '/keys', component: KeysPage }),
  createRoute({
    ...under,
    path: '/keys/$name',
    component: lazyRouteComponent(() => import('../keys/detail/key-page.tsx'), 'KeyPage'),
  }),
] as const

const routeTree = root.addChildren(routes)

export function createConsoleRouter() {
  return createRouter({ routeTree, defaultPreload: 'intent', scrollRestoration: true })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>
  }
}
