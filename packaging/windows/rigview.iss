; The installer of Windows, by Inno Setup 6: iscc /DVersion=0.1.0 packaging\windows\rigview.iss
; It installs for the user alone unless another choice is made, and needs no rights for that.

[Setup]
AppId={{6C1F6B52-5D0B-4E0C-9A53-3B0C2B0E7A41}
AppName=Rigview
AppVersion={#Version}
DefaultDirName={autopf}\Rigview
DefaultGroupName=Rigview
DisableProgramGroupPage=yes
PrivilegesRequired=lowest
PrivilegesRequiredOverridesAllowed=dialog
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
ChangesAssociations=yes
ChangesEnvironment=no
SetupIconFile=..\..\build\bundle\rigview.ico
UninstallDisplayIcon={app}\rigview.exe
OutputDir=..\..\dist
OutputBaseFilename=rigview-{#Version}-windows
Compression=lzma2/max
SolidCompression=yes

[Tasks]
Name: types; Description: "Open .glb, .gltf, .vrm and .bvh files with Rigview"
Name: desktop; Description: "Put an icon on the desktop"; Flags: unchecked

[Files]
Source: "..\..\build\bundle\rigview\*"; DestDir: "{app}"; Flags: recursesubdirs ignoreversion

[Icons]
Name: "{group}\Rigview"; Filename: "{app}\rigviewwindow.exe"
Name: "{autodesktop}\Rigview"; Filename: "{app}\rigviewwindow.exe"; Tasks: desktop

[Registry]
Root: HKA; Subkey: "Software\Classes\Rigview.Character"; ValueType: string; ValueData: "Character"; Flags: uninsdeletekey; Tasks: types
Root: HKA; Subkey: "Software\Classes\Rigview.Character\DefaultIcon"; ValueType: string; ValueData: "{app}\rigviewwindow.exe,0"; Tasks: types
Root: HKA; Subkey: "Software\Classes\Rigview.Character\shell\open\command"; ValueType: string; ValueData: """{app}\rigviewwindow.exe"" --reuse-window ""%1"""; Tasks: types
Root: HKA; Subkey: "Software\Classes\.glb\OpenWithProgids"; ValueType: string; ValueName: "Rigview.Character"; ValueData: ""; Flags: uninsdeletevalue; Tasks: types
Root: HKA; Subkey: "Software\Classes\.gltf\OpenWithProgids"; ValueType: string; ValueName: "Rigview.Character"; ValueData: ""; Flags: uninsdeletevalue; Tasks: types
Root: HKA; Subkey: "Software\Classes\.vrm\OpenWithProgids"; ValueType: string; ValueName: "Rigview.Character"; ValueData: ""; Flags: uninsdeletevalue; Tasks: types
Root: HKA; Subkey: "Software\Classes\.bvh\OpenWithProgids"; ValueType: string; ValueName: "Rigview.Character"; ValueData: ""; Flags: uninsdeletevalue; Tasks: types

[Run]
Filename: "{app}\rigviewwindow.exe"; Description: "Start Rigview"; Flags: nowait postinstall skipifsilent
