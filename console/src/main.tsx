import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { isCode } from './api/problem.ts'
import { createConsoleRouter } from './app/router.tsx'
import { styleNonce } from './parts/style-nonce.ts'
import { takeAuthorizationRequest } from './session/authorization.ts'
import { SessionGate } from './session/session-gate.tsx'
import { takeReturnedCode } from './session/sign-on.ts'
import { applyTheme, storedTheme } from './shell/theme.ts'
import './style.css'

applyTheme(storedTheme())
// Dialogs that lock scrolling create a style element, and read the nonce for it from here.
Object.assign(globalThis, { __webpack_nonce__: styleNonce() })

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      refetchOnWindowFocus: false,
      retry: (count, problem) => count < 2 && !isCode(problem, 400, 401, 403, 404, 405, 409, 422),
    },
  },
})

// Before the router reads the address.
const returned = takeReturnedCode()
takeAuthorizationRequest()
const router = createConsoleRouter()

const root = document.getElementById('root')
if (root === null) throw new Error('The page has no place for the console.')
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <SessionGate returned={returned}>
        <RouterProvider router={router} />
      </SessionGate>
    </QueryClientProvider>
  </StrictMode>,
)
