import { writeFileSync } from 'node:fs'
import { currentPage, PAGE } from './page.ts'

writeFileSync(PAGE, currentPage().current)
