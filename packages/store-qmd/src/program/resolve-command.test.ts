import { describe, expect, test } from 'vitest'
import { type CommandPlace, resolveCommand } from './resolve-command.ts'

const NODE = 'C:\\node\\node.exe'
const NPM_SHIM = [
  '@ECHO off',
  'GOTO start',
  ':find_dp0',
  'SET dp0=%~dp0',
  'EXIT /b',
  ':start',
  'SETLOCAL',
  'CALL :find_dp0',
  'IF EXIST "%dp0%\\node.exe" (',
  '  SET "_prog=%dp0%\\node.exe"',
  ') ELSE (',
  '  SET "_prog=node"',
  ')',
  'endLocal & goto #_undefined_# 2>NUL || title %COMSPEC% & "%_prog%"  "%dp0%\\node_modules\\@tobilu\\qmd\\bin\\qmd" %*',
].join('\r\n')
const PNPM_SHIM =
  '@SETLOCAL\r\n@IF EXIST "%~dp0\\node.exe" (\r\n  "%~dp0\\node.exe"  "%~dp0\\..\\qmd\\bin\\qmd.js" %*\r\n) ELSE (\r\n  node  "%~dp0\\..\\qmd\\bin\\qmd.js" %*\r\n)\r\n'

function onWindows(files: Readonly<Record<string, string>>, path = 'C:\\tools;.;C:\\npm'): CommandPlace {
  return {
    platform: 'win32',
    environment: { Path: path },
    node: NODE,
    isRunnable: (file) => Object.hasOwn(files, file),
    readText: (file) => files[file] ?? null,
  }
}

function onLinux(files: readonly string[], path = '/usr/local/bin:/usr/bin'): CommandPlace {
  return {
    platform: 'linux',
    environment: { PATH: path },
    node: '/usr/bin/node',
    isRunnable: (file) => files.includes(file),
    readText: () => null,
  }
}

const found = (program: string, ...args: readonly string[]) => ({ isFound: true, command: { program, args } })

describe('B75: Windows', () => {
  test('the backslashes of a path are kept', () => {
    const place = onWindows({ 'C:\\qmd\\qmd.exe': '' })
    expect(resolveCommand('C:\\qmd\\qmd.exe', place)).toEqual(found('C:\\qmd\\qmd.exe'))
  })

  test('a shim of npm leads to its script, beside the Node that runs us', () => {
    const script = 'C:\\qmd\\node_modules\\@tobilu\\qmd\\bin\\qmd'
    const place = onWindows({ 'C:\\qmd\\qmd.cmd': NPM_SHIM, [script]: '' })
    expect(resolveCommand('C:\\qmd\\qmd.cmd', place)).toEqual(found(NODE, script))
  })

  test('so does one of pnpm', () => {
    const place = onWindows({ 'C:\\pnpm\\bin\\qmd.cmd': PNPM_SHIM, 'C:\\pnpm\\qmd\\bin\\qmd.js': '' })
    expect(resolveCommand('C:\\pnpm\\bin\\qmd.cmd', place)).toEqual(found(NODE, 'C:\\pnpm\\qmd\\bin\\qmd.js'))
  })

  test('a quoted path with blanks, and arguments behind it', () => {
    const script = 'C:\\Program Files\\qmd\\node_modules\\@tobilu\\qmd\\bin\\qmd'
    const place = onWindows({ 'C:\\Program Files\\qmd\\qmd.cmd': NPM_SHIM, [script]: '' })
    expect(resolveCommand('"C:\\Program Files\\qmd\\qmd.cmd" --x', place)).toEqual(found(NODE, script, '--x'))
  })

  test('a path with blanks needs no quotes where a file has that very name', () => {
    const place = onWindows({ 'C:\\Program Files\\qmd.exe': '' })
    expect(resolveCommand('C:\\Program Files\\qmd.exe', place)).toEqual(found('C:\\Program Files\\qmd.exe'))
  })

  test('a script on another machine is run by Node', () => {
    const place = onWindows({ '\\\\nas\\tools\\qmd.js': '' })
    expect(resolveCommand('\\\\nas\\tools\\qmd.js', place)).toEqual(found(NODE, '\\\\nas\\tools\\qmd.js'))
  })

  test('a bare name is found by the extensions of Windows, past the script for other shells', () => {
    const script = 'C:\\npm\\node_modules\\@tobilu\\qmd\\bin\\qmd'
    const place = onWindows({ 'C:\\npm\\qmd': '#!/bin/sh', 'C:\\npm\\qmd.cmd': NPM_SHIM, [script]: '' })
    expect(resolveCommand('qmd', place)).toEqual(found(NODE, script))
  })

  test('a batch file that leads to no script is refused, because only a shell could run it', () => {
    const place = onWindows({ 'C:\\qmd\\qmd.bat': '@echo off\r\npython qmd.py %*' })
    expect(resolveCommand('C:\\qmd\\qmd.bat', place)).toEqual({
      isFound: false,
      reason: 'C:\\qmd\\qmd.bat is a batch file that leads to no script of Node; name the script or an .exe',
    })
  })
})

describe('elsewhere', () => {
  test('a name is looked for on the PATH, in its order', () => {
    const place = onLinux(['/usr/bin/qmd', '/usr/local/bin/qmd'])
    expect(resolveCommand('qmd', place)).toEqual(found('/usr/local/bin/qmd'))
  })

  test('never in the current folder, where notes may be', () => {
    expect(resolveCommand('qmd', onLinux(['qmd', './qmd'], ':.:/usr/bin'))).toEqual({
      isFound: false,
      reason: 'qmd is not on the PATH',
    })
  })

  test('a command may have a program of its own in front', () => {
    const place = onLinux(['/usr/bin/bunx'])
    expect(resolveCommand('bunx @tobilu/qmd', place)).toEqual(found('/usr/bin/bunx', '@tobilu/qmd'))
  })

  test('a backslash in a path is part of it', () => {
    expect(resolveCommand('/opt/a\\b/qmd', onLinux(['/opt/a\\b/qmd']))).toEqual(found('/opt/a\\b/qmd'))
  })

  test('a missing program is named', () => {
    expect(resolveCommand('/opt/qmd', onLinux([]))).toEqual({ isFound: false, reason: 'there is no program at /opt/qmd' })
    expect(resolveCommand('  ', onLinux([]))).toEqual({ isFound: false, reason: 'the command is blank' })
  })
})
