import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compressedFiles } from './compressed-files.ts'

export default defineConfig({
  // Elements are made by src/jsx, which lets no unseen character through.
  plugins: [react({ jsxImportSource: '/src/jsx' }), tailwind(), compressedFiles()],
  build: {
    outDir: '../dist/console',
    emptyOutDir: true,
    target: 'es2023',
    // A file that is written into the page would need a policy that allows it.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1000,
  },
})
