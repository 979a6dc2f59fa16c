/** A rule of some of Electron's members that the double has. */
export interface MemberRule {
  /**
   * Names as Electron's typings have them, separated by a comma and a space; those of one owner in braces: `App.{quit,exit}`,
   * `App.on('will-quit')`, `new BrowserWindow`.
   */
  readonly members: string;
  /** Behaviour of Electron 45. */
  readonly rule: string;
  /** Difference of the double; none if it does the same. */
  readonly double?: string;
  /**
   * The line of Electron's source that states the rule, a file of Chromium, which was not read, or an issue with a number sign. Several are
   * separated by a comma and a space. Lines are those of electron/electron at 96f3996d8d (August 2026).
   */
  readonly source: string;
  /** The specs that hold it in the double, or that the desktop asks for it, separated by a comma and a space. */
  readonly spec: string;
}

/** Returns the members of a rule, one by one. */
export function membersOfRule({ members }: MemberRule): string[] {
  return members.split(', ').flatMap((group) => {
    const [, owner, names] = /^(\w+\.)\{(.+)\}$/.exec(group) ?? [];
    return names === undefined ? [group] : names.split(',').map((name) => `${owner}${name}`);
  });
}

/** Every member of Electron that the double has, and the rule that it follows. */
export const memberRules: readonly MemberRule[] = [
  {
    members: 'App.whenReady',
    rule: 'Resolves once Chromium runs',
    source: 'shell/browser/browser.cc:252',
    spec: 'desktop-rules-ready',
  },
  {
    members: 'App.{getVersion,isPackaged}',
    rule: 'Version of `package.json`; packaged unless the executable is called `electron`',
    double: 'never packaged',
    source: 'shell/browser/api/electron_api_app.cc:948',
    spec: 'desktop-window-rules',
  },
  {
    members: 'App.userAgentFallback',
    rule: 'That of every page without one of its own; until it is set, with the names and versions of program and Electron',
    double: 'before ready',
    source: 'shell/browser/electron_browser_client.cc:1211',
    spec: 'desktop-devices',
  },
  {
    members: 'App.{getPath,setPath}',
    rule: 'Throws unless the path is absolute; does not make the folder; session data follow `userData`',
    double: 'but gives what was set, `temp` and `home` alone',
    source: 'shell/browser/api/electron_api_app.cc:966, shell/common/electron_paths.cc:48',
    spec: 'desktop-rules-ready',
  },
  {
    members: 'App.{requestSingleInstanceLock,hasSingleInstanceLock,releaseSingleInstanceLock}',
    rule: 'Makes the folder. False if another program has the lock and was told, if the profile is in use, if the lock failed. Held until `quit`, so also while `will-quit` is prevented',
    double: 'but kills no first program that hangs',
    source: 'shell/browser/api/electron_api_app.cc:1104, shell/browser/api/electron_api_app.cc:598',
    spec: 'desktop-rules-ending, desktop-window-rules',
  },
  {
    members: 'App.enableSandbox',
    rule: 'Throws after ready; every renderer is sandboxed',
    double: "Throws as Electron. No: Chromium's sandbox is that of the machine's Chromium",
    source: 'shell/browser/api/electron_api_app.cc:1565',
    spec: 'desktop-rules-ready',
  },
  {
    members: 'App.commandLine, CommandLine.{appendSwitch,hasSwitch}',
    rule: "Counts until the program's main file has run",
    double: "the machine's Chromium is started with them",
    source: 'shell/common/node_bindings.cc:1079',
    spec: 'desktop-rules-network',
  },
  {
    members: 'App.quit',
    rule: "`before-quit`, then each window's `close`, then `will-quit`, `quit`. A page that stays cancels it",
    source: 'shell/browser/browser.cc:124, shell/browser/browser.cc:311',
    spec: 'desktop-rules-ending',
  },
  {
    members: 'App.exit',
    rule: 'Ends with `quit`, without `before-quit`, `will-quit` and unload',
    double: 'but no window says that it is closed',
    source: 'shell/browser/browser.cc:161',
    spec: 'desktop-window-rules',
  },
  {
    members: "App.on('will-quit')",
    rule: 'Prevented, the program stays, and the next `quit` emits it again',
    source: 'shell/browser/browser.cc:293',
    spec: 'desktop-rules-ending, desktop-window-rules',
  },
  {
    members: "App.on('window-all-closed')",
    rule: 'Not emitted while the program quits; quits by itself where nobody listens',
    source: 'shell/browser/browser.cc:317, lib/browser/init.ts:171',
    spec: 'desktop-rules-ending',
  },
  {
    members: "App.on('second-instance')",
    rule: "Told of the other program's arguments, once this one is ready",
    source: 'shell/browser/api/electron_api_app.cc:451',
    spec: 'desktop-window',
  },
  {
    members: "App.on('web-contents-created')",
    rule: 'In the constructor: the window or view is not known yet. For developer tools, too',
    double: 'without developer tools',
    source: 'lib/browser/api/web-contents.ts:847',
    spec: 'desktop-rules-objects, desktop-window-rules',
  },
  {
    members: "App.on('login'), AuthenticationResponseDetails.firstAuthAttempt, AuthInfo.{host,isProxy,port}",
    rule: 'After `login` of the page; without a page for workers. A callback without arguments cancels',
    double: 'for pages and their frames; never without a page',
    source: 'shell/browser/login_handler.cc:98, shell/browser/login_handler.cc:133',
    spec: 'desktop-rules',
  },
  {
    members: "App.on('select-client-certificate')",
    rule: "Only where the system's store has one that fits. Called without a certificate, the request goes on without",
    double: 'No: no store. A test can emit it',
    source: 'shell/browser/electron_browser_client.cc:732',
    spec: 'desktop-security',
  },
  {
    members: "App.on('activate')",
    rule: 'On macOS, when the dock is clicked',
    double: 'No: macOS. A test emits it',
    source: 'shell/browser/api/electron_api_app.cc:616',
    spec: 'desktop-window',
  },
  {
    members: "App.accessibilitySupportEnabled, App.on('accessibility-support-changed')",
    rule: 'True while a screen reader or another assistive program was noticed. Setting it emits the event, too',
    double: 'it is false until a test sets it: no assistive program reaches the double',
    source: 'shell/browser/api/electron_api_app.cc:1309',
    spec: 'desktop-screen-reader',
  },
  {
    members: 'App.relaunch',
    rule: 'Starts the program again when this one has ended',
    double: 'Records it',
    source: 'shell/browser/api/electron_api_app.cc:1155',
    spec: 'desktop-window',
  },
  {
    members: 'Event.preventDefault',
    rule: 'Has its effect during the event only',
    source: 'shell/common/gin_helper/event_emitter.h:40',
    spec: 'desktop-rules-ending',
  },
  {
    members:
      'new BrowserWindow, BaseWindowConstructorOptions.{x,y,width,height,minWidth,minHeight,show,title,icon}, BrowserWindowConstructorOptions.webPreferences',
    rule: 'Throws before ready. Ignores unknown options. Smallest sizes raise smaller ones',
    double: 'unknown and undoubled options throw. No: Wayland, several screens, the icon',
    source: 'shell/browser/api/electron_api_browser_window.cc:315, shell/browser/native_window.cc:219',
    spec: 'desktop-rules-ready, desktop-window-rules',
  },
  {
    members: 'BrowserWindow.{getAllWindows,getFocusedWindow}',
    rule: 'Without destroyed windows; the focused one also if its developer tools have the focus',
    double: 'without developer tools',
    source: 'lib/browser/api/browser-window.ts:123',
    spec: 'desktop-rules-objects',
  },
  {
    members: 'BrowserWindow.isDestroyed',
    rule: 'The one member that a window answers when it is gone; the others throw, from `closed` on',
    source: 'shell/browser/api/electron_api_base_window.cc:175',
    spec: 'desktop-rules-objects',
  },
  {
    members: 'BrowserWindow.{webContents,loadURL}, BaseWindow.contentView',
    rule: "The window's page; its views lie over it",
    source: 'shell/browser/api/electron_api_browser_window.cc:96',
    spec: 'desktop-rules-view',
  },
  {
    members: 'BrowserWindow.{show,focus,restore,isMinimized,isVisible}',
    rule: '`show` takes the focus; `focus` of a hidden window does nothing. A minimised window that was maximised is maximised again',
    double: "No: the system's own idea of focus",
    source: 'shell/browser/native_window_views.cc:593, shell/browser/native_window_views.cc:817',
    spec: 'desktop-window-rules',
  },
  {
    members: 'BrowserWindow.{maximize,isMaximized,getNormalBounds}',
    rule: 'Shows a hidden window, unpainted. Not maximised while minimised',
    source: 'shell/browser/native_window_views.cc:756',
    spec: 'desktop-window-rules',
  },
  {
    members: "App.on('browser-window-created')",
    rule: 'In the constructor, after `web-contents-created`',
    source: 'lib/browser/api/browser-window.ts:94',
    spec: 'desktop-window',
  },
  {
    members: "BrowserWindow.on('focus'), BrowserWindow.on('blur')",
    rule: 'A window that gets the focus gives it to its own page, not to the view that had it (not on macOS). Told in a later task',
    double: 'by its own account of focus',
    source: 'shell/browser/api/electron_api_browser_window.cc:190',
    spec: 'desktop-window-rules',
  },
  {
    members: "BrowserWindow.on('ready-to-show')",
    rule: 'At the first layout with content of each page of the window, its own or in a view; never if nothing is laid out',
    double: 'In part: when the page or a view has loaded',
    source: 'shell/browser/api/electron_api_web_contents.cc:2361, lib/browser/api/web-contents.ts:757',
    spec: 'window.test',
  },
  {
    members: "BrowserWindow.on('resize'), BrowserWindow.on('move'), BrowserWindow.on('maximize'), BrowserWindow.on('unmaximize')",
    rule: 'A move alone does not resize',
    double: 'for what the program does; nobody drags a window',
    source: 'shell/browser/native_window_views.cc:1940',
    spec: 'desktop-window-rules',
  },
  {
    members:
      "BrowserWindow.{hide,minimize}, BrowserWindow.on('minimize'), BrowserWindow.on('restore'), BrowserWindow.on('hide'), BrowserWindow.on('show')",
    rule: "When it is so; the page's `visibilityState` follows",
    double: 'for what the program does',
    source: 'lib/browser/api/browser-window.ts:82',
    spec: 'desktop-rules-view, desktop-window-rules',
  },
  {
    members: "BrowserWindow.{close,destroy}, BrowserWindow.on('close'), BrowserWindow.on('closed')",
    rule: "`close` first, then the page's `beforeunload`, then `closed`; `destroy` asks nobody",
    source: 'shell/browser/native_window.cc:543, shell/browser/api/electron_api_browser_window.cc:170',
    spec: 'desktop-rules-ending',
  },
  {
    members: "BrowserWindow.on('query-session-end')",
    rule: 'On Windows, before the session ends. Prevented, Windows does not end it yet',
    double: 'No: Windows. A test emits it',
    source: '#44598',
    spec: 'window.test',
  },
  {
    members: "BrowserWindow.on('unresponsive'), BrowserWindow.on('responsive')",
    rule: "From Chromium's monitor of input, never with a debugger attached; and 5 s after each `close` that nobody prevented, though its page answered and stays",
    double: "In part: after such a close. Chromium's protocol does not tell the rest, which a test emits",
    source: 'lib/browser/api/browser-window.ts:59, lib/browser/api/web-contents.ts:841',
    spec: 'desktop-rules-ending',
  },
  {
    members: 'Screen.{getPrimaryDisplay,getAllDisplays}, Display.{id,bounds,size,workArea}',
    rule: 'Throws before ready',
    double: 'one display of 1920 by 1080',
    source: 'shell/browser/api/electron_api_screen.cc:205',
    spec: 'desktop-rules-ready',
  },
  {
    members: 'new WebContentsView, WebContentsViewConstructorOptions.webPreferences',
    rule: 'Hidden until it is in a window. Options that are no objects throw',
    double: 'unknown options throw',
    source: 'shell/browser/api/electron_api_web_contents_view.cc:212',
    spec: 'desktop-rules-view',
  },
  {
    members: 'WebContentsView.webContents',
    rule: 'Nothing once the page is gone',
    source: 'shell/browser/api/electron_api_web_contents_view.cc:112',
    spec: 'desktop-rules-objects',
  },
  {
    members: 'View.{addChildView,removeChildView}',
    rule: "The window owns the view's page from then on, also when it is taken out",
    source: 'shell/browser/api/electron_api_web_contents_view.cc:123, #38842',
    spec: 'desktop-rules-objects',
  },
  {
    members: 'View.{children,getVisible}',
    rule: 'What lies over the page, in order',
    source: 'shell/browser/api/electron_api_view.cc:475',
    spec: 'desktop-rules-view',
  },
  {
    members: 'View.{setBounds,setVisible}, WebContentsView.getBounds, Rectangle.{x,y,width,height}',
    rule: 'Device independent pixels, rounded. What is hidden, of no size, outside or in a minimised window has `visibilityState` hidden and slow timers. A sibling that covers it can hide it, too',
    double:
      'In part: `visibilityState` and frames by the same conditions. No: covering, slow timers, where it lies on the screen',
    source: 'spec/api-web-contents-view-spec.ts:229, #44590',
    spec: 'desktop-rules-view',
  },
  {
    members: 'WebContents.loadURL',
    rule: "Settles with the load, with its end, with the page's own end; rejects with -3 if another navigation starts. A bad address fails at once",
    source: 'lib/browser/api/web-contents.ts:315, shell/browser/api/electron_api_web_contents.cc:2827',
    spec: 'desktop-rules-navigation',
  },
  {
    members: 'WebContents.reload',
    rule: 'Nothing where no page is, and on a page that came by POST',
    source: 'shell/browser/api/electron_api_web_contents.cc:2913',
    spec: 'desktop-rules-navigation, desktop-rules-objects',
  },
  {
    members: 'WebContents.getURL',
    rule: 'Empty before the first page, also where the first was refused; of an error page the address that failed',
    source: 'shell/browser/api/electron_api_web_contents.cc:2822',
    spec: 'desktop-rules-navigation',
  },
  {
    members: 'WebContents.navigationHistory, NavigationHistory.{canGoBack,goBack,clear}',
    rule: 'Without entries that a page made without a gesture. `clear` leaves the page that is there',
    double: 'entries of no gesture included',
    source: 'Chromium navigation_controller_impl.cc, shell/browser/api/electron_api_web_contents.cc:3101',
    spec: 'desktop-rules-navigation',
  },
  {
    members: 'WebContents.close',
    rule: 'Runs `unload`, asks nobody; `destroyed` in a later task. A page that hangs is ended after 0.5 s, but not while a debugger is attached',
    source: 'shell/browser/api/electron_api_web_contents.cc:1305, Chromium web_contents_impl.cc',
    spec: 'desktop-rules-ending, desktop-rules-objects',
  },
  {
    members: 'WebContents.{isDestroyed,isCrashed}',
    rule: '`isDestroyed` is what a page answers when it is gone. The others throw TypeError, from the event on: its debugger and session, too',
    source: 'shell/common/gin_helper/function_template.h:206',
    spec: 'desktop-rules-objects',
  },
  {
    members: "WebContents.on('destroyed')",
    rule: 'In a task of its own. Also when a page closes itself',
    source: 'shell/browser/api/electron_api_web_contents.cc:1290',
    spec: 'desktop-rules-navigation, desktop-rules-objects',
  },
  {
    members: 'WebContents.forcefullyCrashRenderer',
    rule: 'Ends the process, of a page that hangs, too',
    source: 'shell/browser/api/electron_api_web_contents.cc:3252',
    spec: 'desktop-rules-objects',
  },
  {
    members: "WebContents.on('render-process-gone'), RenderProcessGoneDetails.reason",
    rule: 'With a reason, in a task of its own',
    double: 'In part: always `crashed`',
    source: 'shell/browser/api/electron_api_web_contents.cc:2206',
    spec: 'desktop-rules-objects',
  },
  {
    members:
      "WebContents.on('did-start-navigation'), WebContentsDidStartNavigationEventParams.{url,isMainFrame,isSameDocument,frame}",
    rule: 'Of every navigation, within a document, too, and of `about:blank`',
    double: 'of frames, those that make a request',
    source: 'shell/browser/api/electron_api_web_contents.cc:2398',
    spec: 'desktop-rules-navigation',
  },
  {
    members:
      "WebContents.on('will-frame-navigate'), WebContents.on('will-navigate'), WebContentsWillFrameNavigateEventParams.{url,isMainFrame}, WebContentsWillNavigateEventParams.url",
    rule: 'Asked of what the page starts, not of `loadURL`, `reload`, going back or `about:blank`. Prevented: no request, no failure',
    source: 'shell/browser/electron_navigation_throttle.cc:55',
    spec: 'desktop-rules-navigation',
  },
  {
    members: "WebContents.on('will-redirect'), WebContentsWillRedirectEventParams.{url,isMainFrame}",
    rule: 'At each redirect of a server, before `did-redirect-navigation`. Prevented, it is all that is told',
    source: 'shell/browser/electron_navigation_throttle.cc:82',
    spec: 'desktop-rules',
  },
  {
    members: "WebContents.on('did-redirect-navigation'), WebContentsDidRedirectNavigationEventParams.{url,isMainFrame,frame}",
    rule: 'After a redirect that nobody prevented',
    source: 'shell/browser/api/electron_api_web_contents.cc:2404',
    spec: 'desktop-rules',
  },
  {
    members: 'WebFrameMain.fromId',
    rule: "By the numbers of a navigation's event; nothing once the frame is gone",
    double: 'one process for all frames. It has `parent` alone, and keeps frames that are gone',
    source: 'shell/browser/api/electron_api_web_frame_main.cc:741',
    spec: 'desktop-devices',
  },
  {
    members: "WebContents.on('did-frame-navigate')",
    rule: "Of each frame that gets a document, before `did-navigate` of the page. Not for Chromium's error page. Status -1 without HTTP",
    source: 'shell/browser/api/electron_api_web_contents.cc:2513',
    spec: 'desktop-rules',
  },
  {
    members: "WebContents.on('did-navigate')",
    rule: "Not for Chromium's error page. Status -1 without HTTP",
    source: 'shell/browser/api/electron_api_web_contents.cc:2519',
    spec: 'desktop-rules-navigation',
  },
  {
    members: "WebContents.on('did-fail-load')",
    rule: 'After `did-fail-provisional-load`, but for -3. Cancelled by `webRequest`: -20. A load that breaks later has no words. Warns with the address (`process.emitWarning`)',
    source: 'shell/browser/api/electron_api_web_contents.cc:2545, shell/browser/api/electron_api_web_contents.cc:2301',
    spec: 'desktop-rules-navigation, desktop-rules',
  },
  {
    members: "WebContents.on('did-frame-finish-load')",
    rule: 'Also of the error page, and of frames; before `did-finish-load` of the page',
    double: 'for pages, and for frames that have a process of their own',
    source: 'shell/browser/api/electron_api_web_contents.cc:2274',
    spec: 'desktop-rules',
  },
  {
    members: "WebContents.on('console-message'), WebContentsConsoleMessageEventParams.{level,message,lineNumber,sourceId}",
    rule: 'One object; further arguments are deprecated. Lines count from 1',
    source: 'lib/browser/api/web-contents.ts:833',
    spec: 'desktop-rules-objects',
  },
  {
    members: "WebContents.on('context-menu'), ContextMenuParams.{isEditable,selectionText}",
    rule: 'After the clipboard was read, so later than the click',
    double: 'No: no native click',
    source: 'shell/browser/api/electron_api_web_contents.cc:1879',
    spec: 'window.test',
  },
  {
    members: "WebContents.on('will-prevent-unload')",
    rule: 'For each `beforeunload` that wants to stay: closing, loading again, going elsewhere. Prevented, the page is left',
    source: 'shell/browser/api/electron_api_web_contents.cc:4424',
    spec: 'desktop-rules-ending, desktop-rules-navigation',
  },
  {
    members: "WebContents.on('will-attach-webview')",
    rule: 'Only with `webviewTag`',
    double: 'Never: it refuses `webviewTag`',
    source: 'lib/renderer/web-view/web-view-init.ts:24',
    spec: 'desktop-security',
  },
  {
    members: 'WebContents.setWindowOpenHandler, HandlerDetails.url, WindowOpenHandlerResponse.action',
    rule: 'Asked of `window.open`, `target` and clicks with a key, without a gesture, too. Anything but an answer is a refusal',
    double:
      'In part: refusals, without features; a refused window may ask its proxy once before it is gone; a window that is allowed throws',
    source: 'lib/browser/api/web-contents.ts:412',
    spec: 'desktop-rules-windows',
  },
  {
    members: 'WebContents.send',
    rule: 'Throws when the page is gone; prints to standard error if it crashed',
    source: 'lib/browser/api/web-frame-main.ts:23',
    spec: 'desktop-rules-objects',
  },
  {
    members: 'WebContents.{setZoomFactor,getZoomFactor,setZoomLevel,getZoomLevel}, WebPreferences.zoomMode',
    rule: 'A level is a power of 1.2. Throws at 0 and less. Dropped before the first page. By host and session, or by page with `zoomMode` isolated',
    double: 'but within 0.25 and 5; the code of Electron has no bounds',
    source: 'shell/browser/web_contents_zoom_controller.cc:103, shell/browser/api/electron_api_web_contents.cc:4211',
    spec: 'desktop-rules',
  },
  {
    members: 'WebContents.setWebRTCIPHandlingPolicy',
    rule: 'For this page, from its first document on if set before',
    double: "Records it. The switches hold for the double's Chromium, too",
    source: 'shell/browser/api/electron_api_web_contents.cc:3118',
    spec: 'security-checklist.test',
  },
  {
    members: 'WebContents.debugger, Debugger.{attach,detach,isAttached,sendCommand}',
    rule: 'A command is answered after the first navigation. Open ones fail with "target closed while handling command". A second `attach` is a TypeError. While attached, no `unresponsive`, no bound for a page that hangs. `Page.captureScreenshot` of a page that draws nothing never comes',
    double: 'A screen that Croupier gives by `Emulation.setDeviceMetricsOverride` comes before the size of its view',
    source:
      'shell/browser/api/electron_api_debugger.cc:118, shell/browser/api/electron_api_debugger.cc:194, #14810, #53114, #36376',
    spec: 'desktop-rules-objects, desktop-rules-view, desktop-rules',
  },
  {
    members: "Debugger.on('message'), Debugger.on('detach')",
    rule: "What the domains tell that were enabled. `detach` at `detach()`, at the page's end, when developer tools open",
    double: 'on a line of its own, with what was attached below it; without developer tools',
    source: 'shell/browser/api/electron_api_debugger.cc:42',
    spec: 'desktop-rules-objects',
  },
  {
    members: "WebContents.{focus,isFocused}, WebContents.on('focus'), BrowserWindow.{blur,isFocused}",
    rule: "The keyboard is the page's, and on Linux and macOS its window's; the one that had it loses it",
    double: 'by its own account of focus',
    source: 'shell/browser/api/electron_api_web_contents.cc:3889',
    spec: 'desktop-rules-view, desktop-window-rules',
  },
  {
    members:
      "WebContents.on('before-input-event'), WebContents.{sendInputEvent,setIgnoreMenuShortcuts}, Input.{type,key,code,shift,control,alt,meta}",
    rule: 'Before the page and the menu hear a key. Prevented, neither does. The menu hears what the page did not take, unless it is told to ignore it',
    double: "for keys of `sendInputEvent`; of others it is told while the page has them, and they are not the menu's",
    source: 'shell/browser/api/electron_api_web_contents.cc:1700, shell/browser/api/electron_api_web_contents.cc:1668',
    spec: 'desktop-window-rules',
  },
  {
    members:
      "WebContents.{openDevTools,closeDevTools,isDevToolsOpened}, WebContents.on('devtools-closed'), OpenDevToolsOptions.mode, WebPreferences.devTools",
    rule: "Loaded through the page's session, whose listeners may refuse them. They take the line of the debugger. With `devTools` false nothing opens, without a word",
    double: 'nothing is drawn',
    source: 'shell/browser/ui/inspectable_web_contents.cc:444, shell/browser/api/electron_api_web_contents.cc:3298',
    spec: 'desktop-window-rules',
  },
  {
    members: 'WebPreferences.{sandbox,contextIsolation,webSecurity}',
    rule: 'As named; true by default, `sandbox` unless Node is integrated',
    double: "Refuses false. No: Electron's own processes",
    source: 'shell/browser/web_contents_preferences.cc:290',
    spec: 'desktop-security',
  },
  {
    members:
      'WebPreferences.{nodeIntegration,nodeIntegrationInWorker,nodeIntegrationInSubFrames,allowRunningInsecureContent,experimentalFeatures,plugins,webviewTag,navigateOnDragDrop,spellcheck}',
    rule: 'As named; all but `spellcheck` false by default. Undocumented names are ignored without a word',
    double: 'Refuses true, undocumented names, and documented ones that are not in this table',
    source: 'shell/browser/web_contents_preferences.cc:113',
    spec: 'desktop-rules-objects',
  },
  {
    members: 'WebPreferences.disableDialogs',
    rule: 'Refuses `alert`, `confirm`, `prompt` itself. Not print, file, colour and date pickers',
    double: "for the three, by Chromium's protocol; pickers of files where the debugger takes them. No: other pickers and print",
    source: 'lib/browser/api/web-contents.ts:781',
    spec: 'desktop-rules-windows',
  },
  {
    members: 'WebPreferences.autoplayPolicy',
    rule: 'Sound without a gesture, if not said otherwise',
    source: 'shell/browser/web_contents_preferences.cc:131',
    spec: 'desktop-rules-view',
  },
  {
    members:
      "WebPreferences.disableHtmlFullscreenWindowResize, WebContents.on('enter-html-full-screen'), WebContents.on('leave-html-full-screen'), BrowserWindow.{setFullScreen,isFullScreen}",
    rule: "A page's full screen makes the window full screen, or with the preference fills its own bounds. Escape leaves",
    double: 'at once',
    source: 'shell/browser/api/electron_api_web_contents.cc:4884',
    spec: 'desktop-rules-view',
  },
  {
    members: 'WebContents.{setAudioMuted,isAudioMuted}',
    rule: 'Mutes the page, whatever it plays later',
    double: 'In part: keeps the answer; nothing is heard',
    source: 'shell/browser/api/electron_api_web_contents.cc:3499',
    spec: 'desktop-launcher-sight',
  },
  {
    members: 'WebPreferences.focusOnNavigation',
    rule: 'True: each page that a view goes to takes the keyboard, if its window is active',
    source: 'shell/browser/api/electron_api_web_contents.cc:2464',
    spec: 'desktop-rules-view',
  },
  {
    members: 'WebPreferences.partition',
    rule: 'Read when the page is made',
    source: 'shell/browser/api/electron_api_web_contents.cc:947',
    spec: 'desktop-rules',
  },
  {
    members: 'WebPreferences.preload',
    rule: 'Absolute, else no preload runs and an error is logged. Sent with the commit',
    double: 'In part: read when the page is made; in an isolated world',
    source: 'shell/browser/web_contents_preferences.cc:236, shell/browser/api/electron_api_web_contents.cc:2443',
    spec: 'desktop-security',
  },
  {
    members: 'Session.{defaultSession,fromPartition}',
    rule: 'Throws before ready. In memory without `persist:`, until the program ends',
    double: 'No: a storage that outlives the program',
    source: 'shell/browser/api/electron_api_session.cc:1925, shell/browser/api/electron_api_session.cc:1767, #28566',
    spec: 'desktop-rules-ready',
  },
  {
    members: 'Session.setPermissionRequestHandler, PermissionRequest.{requestingUrl,isMainFrame}',
    rule: 'When the page asks. Granted without a handler. An answer twice throws',
    double: 'for pages and frames, which it does not name; not for workers',
    source: 'shell/browser/electron_permission_manager.cc:226, shell/common/gin_helper/callback.cc:67',
    spec: 'desktop-rules-asked, desktop-rules-view',
  },
  {
    members: 'OpenExternalPermissionRequest.externalURL',
    rule: 'The URL, where a page asks for another program by the permission `openExternal`',
    double: 'Never asked: Chromium of the double goes to such a URL and fails',
    source: 'shell/browser/web_contents_permission_helper.cc:310',
    spec: 'game-session.test',
  },
  {
    members: 'Session.setPermissionCheckHandler, PermissionCheckHandlerHandlerDetails.isMainFrame',
    rule: 'At `permissions.query` and the like; no page for workers. True without a handler, but for the old way to read the clipboard',
    double: 'In part: at `permissions.query`',
    source: 'shell/browser/electron_permission_manager.cc:356',
    spec: 'desktop-security',
  },
  {
    members: 'Session.setDevicePermissionHandler',
    rule: 'USB, HID and serial devices',
    double: 'Records it. No: devices',
    source: 'shell/browser/electron_permission_manager.cc:397',
    spec: 'security-checklist.test',
  },
  {
    members: 'Session.setDisplayMediaRequestHandler',
    rule: 'After `media` was granted. `{}` throws if video was asked for; null refuses',
    double: 'but a screen that is given throws',
    source: 'shell/browser/web_contents_permission_helper.cc:180, shell/browser/electron_browser_context.cc:844',
    spec: 'desktop-rules-asked',
  },
  {
    members: 'Session.allowNTLMCredentialsForDomains',
    rule: 'For the whole program, not for the session',
    double: 'Records it',
    source: 'shell/browser/api/electron_api_session.cc:1016',
    spec: 'security-checklist.test',
  },
  {
    members: "Session.on('will-download'), DownloadItem.{getURL,getFilename}",
    rule: 'Prevented, it is cancelled and removed. Allowed, the user is asked where',
    double: 'for what is prevented; writes nothing',
    source: 'shell/browser/api/electron_api_session.cc:624',
    spec: 'desktop-launcher',
  },
  {
    members: 'Session.setCertificateVerifyProc, Request.{certificate,errorCode,hostname}, Certificate.data',
    rule: "0 accepts, -2 refuses, -3 keeps Chromium's verdict. Verdicts stay for the session, whatever is called. A proc that throws leaves the connection open forever",
    double: 'In part: verdicts stay, for the host and port. The certificate is asked for by a connection of its own',
    source: 'shell/browser/net/cert_verifier_client.cc:38, #41448',
    spec: 'desktop-rules-navigation, desktop-rules-network',
  },
  {
    members: 'Session.{setProxy,resolveProxy}, ProxyConfig.{mode,proxyRules,proxyBypassRules}',
    rule: 'Resolves before the network service has it. Loopback goes round it without `<-loopback>`',
    double: 'In part: `fixed_servers`, before the session is used; else it throws',
    source: 'shell/browser/api/electron_api_session.cc:794',
    spec: 'desktop-rules',
  },
  {
    members:
      'Session.{closeAllConnections,clearStorageData,clearCache,clearAuthCache,clearHostResolverCache,clearCodeCaches,clearSharedDictionaryCache}, ClearStorageDataOptions.storages',
    rule: 'Empties what is named and no more. Answered by the network process alone: never if it dies meanwhile',
    double: 'In part: cookies, storage and cache are emptied; the others are recorded',
    source: 'shell/browser/api/electron_api_session.cc:719',
    spec: 'desktop-rules-network, desktop-rules',
  },
  {
    members: "Session.on('preconnect')",
    rule: 'A page asks for a connection ahead of a request. Electron makes none',
    double: 'from the links of a document',
    source: 'shell/browser/network_hints_handler_impl.cc:34',
    spec: 'desktop-rules-network',
  },
  {
    members:
      'Session.webRequest, WebRequest.onBeforeRequest, CallbackResponse.cancel, OnBeforeRequestListenerDetails.{id,url,method,resourceType,timestamp}',
    rule: 'One listener of each kind. A request has one number in all its events. Cancelled: `ERR_BLOCKED_BY_CLIENT`. Does not see what the page itself refuses, sockets of service and shared workers, reports, DNS prefetch, WebTransport, WebRTC',
    double: 'for pages, frames and workers, also shared and service workers; no sockets at all',
    source:
      'shell/browser/api/electron_api_web_request.cc:745, shell/browser/api/electron_api_web_request.cc:417, shell/browser/electron_browser_client.cc:1434, #47857',
    spec: 'desktop-rules-network, desktop-rules',
  },
  {
    members: 'WebRequest.onSendHeaders, OnSendHeadersListenerDetails.{id,url,timestamp,requestHeaders}',
    rule: 'Before the request leaves, with the headers as they leave. Not of what was cancelled',
    double: 'without cookies',
    source: 'shell/browser/net/proxying_url_loader_factory.cc:604',
    spec: 'desktop-rules-network',
  },
  {
    members:
      'WebRequest.onHeadersReceived, OnHeadersReceivedListenerDetails.{id,url,method,resourceType,timestamp,statusCode,statusLine,responseHeaders}',
    rule: 'May change the head',
    double: 'In part: a change throws',
    source: 'shell/browser/api/electron_api_web_request.cc:595',
    spec: 'desktop-rules-network',
  },
  {
    members:
      'WebRequest.onBeforeRedirect, OnBeforeRedirectListenerDetails.{id,url,method,resourceType,timestamp,fromCache,redirectURL}',
    rule: 'The next request has the same number, and is asked about after this',
    double: 'In part: asked about before this',
    source: 'shell/browser/net/proxying_url_loader_factory.cc:721',
    spec: 'desktop-rules-network',
  },
  {
    members: 'WebRequest.onCompleted, OnCompletedListenerDetails.{id,url,method,resourceType,timestamp,fromCache,statusCode}',
    rule: 'At the end of the body',
    source: 'shell/browser/net/proxying_url_loader_factory.cc:331',
    spec: 'desktop-rules-network',
  },
  {
    members: 'WebRequest.onErrorOccurred, OnErrorOccurredListenerDetails.{id,url,method,resourceType,timestamp,fromCache,error}',
    rule: 'Also of what was cancelled; of a refused redirect `net::ERR_ABORTED`',
    source: 'shell/browser/net/proxying_url_loader_factory.cc:773, shell/browser/net/proxying_url_loader_factory.cc:95',
    spec: 'desktop-rules-network',
  },
  {
    members: 'IpcMain.{handle,removeHandler}',
    rule: 'A second handler throws. What a handler throws reaches the page as "Error invoking remote method"',
    source: 'lib/browser/ipc-main-impl.ts:16, lib/renderer/api/ipc-renderer.ts:24',
    spec: 'desktop-faults',
  },
  {
    members: 'IpcMainInvokeEvent.{sender,senderFrame}, WebFrameMain.{url,parent}',
    rule: 'The frame is null if it is gone or went elsewhere',
    double: 'In part: the frame is never null',
    source: 'shell/common/gin_converters/frame_converter.cc:56',
    spec: 'desktop-security',
  },
  {
    members: 'ContextBridge.exposeInMainWorld, IpcRenderer.{invoke,on}',
    rule: 'Copies of plain data between the two worlds of a page; functions by proxy',
    double: 'by structured clone',
    source: 'shell/renderer/api/electron_api_context_bridge.cc:160',
    spec: 'desktop-security',
  },
  {
    members:
      'Protocol.registerSchemesAsPrivileged, CustomScheme.{scheme,privileges}, Privileges.{standard,secure,supportFetchAPI,codeCache}',
    rule: 'Throws after ready. `codeCache` needs `standard`',
    double: 'Throws as Electron. No: an origin `app://`; Chromium sees an https one',
    source: 'shell/browser/api/electron_api_protocol.cc:367, shell/browser/api/electron_api_protocol.cc:123',
    spec: 'desktop-rules-ready',
  },
  {
    members: 'Protocol.handle',
    rule: 'A second handler throws. What a handler throws is `ERR_UNEXPECTED`',
    double: 'it is `ERR_FAILED`',
    source: 'lib/browser/api/protocol.ts:162, lib/browser/api/protocol.ts:159',
    spec: 'desktop-rules-ready',
  },
  {
    members:
      'Menu.{buildFromTemplate,setApplicationMenu,popup}, PopupOptions.window, MenuItemConstructorOptions.{id,label,role,type,accelerator,submenu,click}',
    rule: 'An item without label, role or separator throws, so does an unknown type. Needless separators go. Roles bring labels and keys, and act on what has the focus. A wrong accelerator is logged and dropped',
    double: 'a wrong accelerator throws, and a role that is not doubled. Nothing is drawn',
    source:
      'lib/browser/api/menu.ts:232, lib/browser/api/menu-item.ts:88, lib/browser/api/menu.ts:93, shell/browser/ui/accelerator_util.cc:62',
    spec: 'desktop-window-rules',
  },
  {
    members:
      'Dialog.{showMessageBox,showMessageBoxSync}, MessageBoxOptions.{type,message,detail,buttons,defaultId,cancelId,noLink,signal}, MessageBoxSyncOptions.{type,message,detail,buttons,defaultId,cancelId,noLink}, MessageBoxReturnValue.response',
    rule: 'Throws before ready and at options of a wrong type. A signal closes it with `cancelId`; aborted before, there is no response',
    double: 'a test answers. No: the box',
    source: 'lib/browser/api/dialog.ts:226, lib/browser/api/dialog.ts:64',
    spec: 'desktop-rules-ending, desktop-rules-ready',
  },
  {
    members:
      'Dialog.showOpenDialog, OpenDialogOptions.{title,buttonLabel,properties}, OpenDialogReturnValue.{canceled,filePaths}',
    rule: 'Throws before ready and at options of a wrong type',
    double: 'a test answers. No: the dialog',
    source: 'lib/browser/api/dialog.ts:147',
    spec: 'desktop-rules-ending, desktop-rules-ready',
  },
  {
    members: 'Dialog.showErrorBox',
    rule: 'Before ready, too; on Linux then to standard error',
    double: 'Records it',
    source: 'shell/browser/ui/message_box_gtk.cc:261',
    spec: 'desktop-faults',
  },
  {
    members: 'Shell.openExternal',
    rule: 'Resolves when the system took it, else rejects',
    double: 'Records it',
    source: 'shell/common/api/electron_api_shell.cc:51',
    spec: 'desktop-security',
  },
  {
    members: 'UtilityProcess.{fork,pid,postMessage,kill}, ForkOptions.{serviceName,stdio,env,execArgv}',
    rule: 'Throws before ready. No number before `spawn`. `kill()` ends it with 0, and does nothing before `spawn`. An empty `env` inherits all; `execArgv` is what the process sees as its own, none without it',
    double: 'a process of Node',
    source:
      'shell/browser/api/electron_api_utility_process.cc:532, shell/browser/api/electron_api_utility_process.cc:407, shell/browser/api/electron_api_utility_process.cc:304, shell/browser/api/electron_api_utility_process.cc:208',
    spec: 'desktop-rules-ending',
  },
  {
    members: "UtilityProcess.on('message'), UtilityProcess.on('spawn'), UtilityProcess.on('exit'), UtilityProcess.on('error')",
    rule: "`exit` has the signal's number if it was ended from outside. `error` of V8 throws where nobody listens",
    double: 'V8 fails',
    source: 'shell/browser/api/electron_api_utility_process.cc:309, shell/browser/api/electron_api_utility_process.cc:447',
    spec: 'desktop-rules-ending',
  },
  {
    members: 'BrowserWindow.id, WebContents.id',
    rule: 'Can be read when the object is gone',
    source: 'lib/browser/api/browser-window.ts:18, lib/browser/api/web-contents.ts:517',
    spec: 'desktop-rules-objects',
  },
  {
    members: 'BrowserWindow.{getBounds,getSize,setBounds}',
    rule: 'Device independent pixels; `setBounds` keeps what it is not given',
    double: 'without a frame',
    source: 'lib/browser/api/browser-window.ts:24',
    spec: 'desktop-window-rules',
  },
  {
    members: 'WebContents.executeJavaScript',
    rule: 'Waits for a page. The result is cloned; what has no clone rejects',
    double: 'but does not wait',
    source: 'lib/browser/api/web-contents.ts:163',
    spec: 'desktop-rules-objects',
  },
  {
    members: 'WebContents.isLoading',
    rule: 'True from the start of a load to its end',
    source: 'shell/browser/api/electron_api_web_contents.cc:2964',
    spec: 'desktop-rules',
  },
];
